import { useEffect, useRef, useState } from "react";

const PAGE = 200;

/** Rows of a long list, page by page, as they come into sight. A new `key` forgets what was loaded. */
export function usePages<Row>(
  key: string,
  load: (from: number, count: number) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>,
): { readonly total: number | undefined; readonly row: (index: number) => Row | undefined } {
  const [, setTurn] = useState(0);
  const pages = useRef({
    key: "",
    total: undefined as number | undefined,
    rows: new Map<number, readonly Row[]>(),
  });
  const asked = useRef(new Set<string>());
  const fetchPage = (page: number): void => {
    const name = `${key} ${page}`;
    if (asked.current.has(name)) return;
    asked.current.add(name);
    void load(page * PAGE, PAGE).then(({ total, rows }) => {
      if (pages.current.key !== key) pages.current = { key, total, rows: new Map() };
      pages.current.total = total;
      pages.current.rows.set(page, rows);
      setTurn((before) => before + 1);
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is the reason.
  useEffect(() => {
    asked.current.clear();
    fetchPage(0);
  }, [key]);
  return {
    // What was loaded under the key before stays in sight until the new is there.
    total: pages.current.total,
    row: (index) => {
      const page = Math.floor(index / PAGE);
      if (pages.current.key === key && !pages.current.rows.has(page)) fetchPage(page);
      return pages.current.rows.get(page)?.[index % PAGE];
    },
  };
}
