import { useEffect, useMemo, useState } from "react";
import { Button } from "../design/button.tsx";
import { toast } from "../design/toasts.tsx";
import { VirtualList } from "../design/virtual-list.tsx";
import { JsonRow } from "./json-row.tsx";
import { pathKey, type Row, rowsOf, withLoaded } from "./json-rows.ts";
import type { JsonSource } from "./json-source.ts";
import type { Path } from "./shown.ts";
import { WholeText } from "./whole-text.tsx";
import "./json.css";

const ROW_HEIGHT = 24;
const ROWS_SEEN_MAX = 16;
const SMALL_MAX = 10;

/** A JSON value as a tree: searched, copied, cut where it is long, and always text. */
export function JsonTree({ source, label }: { readonly source: JsonSource; readonly label: string }) {
  const [root, setRoot] = useState(source.root);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(["[]"]));
  const [whole, setWhole] = useState<Path>();
  const [found, setFound] = useState<{ readonly paths: readonly Path[]; readonly at: number }>();
  useEffect(() => {
    setRoot(source.root);
    setFound(undefined);
  }, [source]);
  const rows = useMemo(() => rowsOf(root, open), [root, open]);
  const load = async (path: Path, from: number): Promise<void> => {
    const loaded = await source.load(path, from);
    setRoot((before) => withLoaded(before, path, from, loaded));
  };
  const toggle = (row: Extract<Row, { kind: "value" }>): void => {
    const key = pathKey(row.path);
    setOpen((before) =>
      row.isOpen ? new Set([...before].filter((other) => other !== key)) : new Set(before).add(key),
    );
    const { value } = row;
    const isCut = (value.kind === "list" || value.kind === "object") && value.entries.length === 0;
    if (!row.isOpen && isCut && value.length > 0) void load(row.path, 0);
  };
  const reveal = async (path: Path): Promise<void> => {
    let tree = root;
    for (let depth = 0; depth < path.length; depth++) {
      const above = path.slice(0, depth);
      while (!has(tree, path.slice(0, depth + 1))) {
        const from = lengthOf(tree, above);
        const loaded = await source.load(above, from);
        const next = withLoaded(tree, above, from, loaded);
        if (lengthOf(next, above) === from) break;
        tree = next;
      }
    }
    setRoot(tree);
    setOpen((before) => new Set([...before, ...path.map((_, depth) => pathKey(path.slice(0, depth)))]));
  };
  const show = async (paths: readonly Path[], at: number): Promise<void> => {
    setFound({ paths, at });
    const path = paths[at];
    if (path !== undefined) await reveal(path);
  };
  const current = found?.paths[found.at];
  const currentKey = current && pathKey(current);
  const currentRow =
    currentKey === undefined
      ? -1
      : rows.findIndex((row) => row.kind === "value" && pathKey(row.path) === currentKey);
  return (
    <div className="json">
      <Tools
        label={label}
        isSearched={isLarge(root)}
        found={found}
        onSearch={async (text) => (text === "" ? setFound(undefined) : show(await source.search(text), 0))}
        onStep={(by) => found && show(found.paths, (found.at + by + found.paths.length) % found.paths.length)}
        onCopy={async () => copy(await source.text([]))}
      />
      <VirtualList
        className="json-rows"
        role="group"
        aria-label={label}
        tabIndex={0}
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        reveal={currentRow}
        style={{ height: Math.min(rows.length, ROWS_SEEN_MAX) * ROW_HEIGHT + 8 }}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <JsonRow
              row={row}
              isFound={index === currentRow}
              onToggle={toggle}
              onMore={(path, from) => void load(path, from)}
              onWhole={setWhole}
            />
          );
        }}
      />
      {whole !== undefined && (
        <WholeText load={() => source.text(whole)} onCopy={copy} onClose={() => setWhole(undefined)} />
      )}
    </div>
  );
}

function lengthOf(root: JsonSource["root"], path: Path): number {
  const at = nodeAt(root, path);
  return at?.kind === "list" || at?.kind === "object" ? at.entries.length : 0;
}

function has(root: JsonSource["root"], path: Path): boolean {
  return nodeAt(root, path) !== undefined;
}

function nodeAt(root: JsonSource["root"], path: Path): JsonSource["root"] | undefined {
  let at: JsonSource["root"] | undefined = root;
  for (const key of path) {
    if (at?.kind !== "list" && at?.kind !== "object") return undefined;
    at = at.entries.find((entry) => entry.key === key)?.value;
  }
  return at;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    toast("The browser does not let this page copy. Select the text and copy it yourself.", "failed");
  }
}

/** A small value is seen at a glance: nobody has to search in it. */
function isLarge(root: JsonSource["root"]): boolean {
  let left = SMALL_MAX;
  const stack = [root];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === "string" && at.length > at.text.length) return true;
    if (at.kind !== "list" && at.kind !== "object") continue;
    left -= at.length;
    if (left < 0) return true;
    for (const { value } of at.entries) stack.push(value);
  }
  return false;
}

function Tools({
  label,
  isSearched,
  found,
  onSearch,
  onStep,
  onCopy,
}: {
  readonly label: string;
  readonly isSearched: boolean;
  readonly found: { readonly paths: readonly Path[]; readonly at: number } | undefined;
  readonly onSearch: (text: string) => void;
  readonly onStep: (by: number) => void;
  readonly onCopy: () => void;
}) {
  return (
    <div className="json-tools">
      {isSearched && (
        <input
          className="input"
          type="search"
          placeholder="Search"
          aria-label={`Search in ${label}`}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && onStep(event.shiftKey ? -1 : 1)}
        />
      )}
      <span role="status">
        {found !== undefined &&
          (found.paths.length === 0 ? "Nothing found" : `${found.at + 1} of ${found.paths.length}`)}
      </span>
      <Button kind="quiet" onClick={onCopy}>
        Copy
      </Button>
    </div>
  );
}
