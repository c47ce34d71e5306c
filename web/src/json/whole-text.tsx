import { useEffect, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Loading } from "../design/loading.tsx";

/** So many characters at once: a browser that lays out ten megabytes of text does nothing else for a while. */
const PAGE = 50_000;

/** A long text, page by page; all of it can be copied. */
export function WholeText({
  load,
  onCopy,
  onClose,
}: {
  readonly load: () => Promise<string>;
  readonly onCopy: (text: string) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState<string>();
  const [page, setPage] = useState(0);
  const loading = useRef(load);
  useEffect(() => {
    void loading.current().then(setText);
  }, []);
  if (text === undefined) {
    return (
      <Dialog title="The whole text" onClose={onClose}>
        <Loading what="the text" />
      </Dialog>
    );
  }
  const pages = Math.max(1, Math.ceil(text.length / PAGE));
  return (
    <Dialog title={`The whole text: ${text.length.toLocaleString("en")} characters`} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard. */}
      <pre className="whole-text" dir="auto" tabIndex={0}>
        {text.slice(page * PAGE, (page + 1) * PAGE)}
      </pre>
      <div className="dialog-actions">
        {pages > 1 && (
          <>
            <span>
              Part {page + 1} of {pages}
            </span>
            <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
              Before
            </Button>
            <Button disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
              Next
            </Button>
          </>
        )}
        <Button onClick={() => onCopy(text)}>Copy all</Button>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
