import { useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../design/button.tsx";
import { toast } from "../design/toasts.tsx";
import { WholeText } from "./whole-text.tsx";

/** Somebody else's words: as text, in their own direction, cut where they are long, with a way to see all of them. */
export function LongText({ text, max }: { readonly text: string; readonly max: number }) {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= max) return <bdi>{text}</bdi>;
  const copy = (all: string): void => {
    navigator.clipboard.writeText(all).then(
      () => toast("Copied"),
      () => toast("The browser did not allow copying.", "failed"),
    );
  };
  return (
    <>
      <bdi>{text.slice(0, max)}…</bdi>{" "}
      <Button kind="quiet" onClick={() => setOpen(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </Button>
      {isOpen &&
        // It may stand in a paragraph, in which a dialog must not.
        createPortal(
          <WholeText load={async () => text} onCopy={copy} onClose={() => setOpen(false)} />,
          document.body,
        )}
    </>
  );
}
