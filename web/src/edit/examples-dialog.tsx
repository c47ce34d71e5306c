import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { type Example, examples } from "./examples.ts";

/** Plans to start from. What was written before comes back with Undo. */
export function ExamplesDialog({
  onChoose,
  onClose,
}: {
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
}) {
  const choose = async (example: Example): Promise<void> => onChoose(await example.load());
  return (
    <Dialog title="Start from an example" onClose={onClose}>
      <p className="edit-note">
        They call tools that come with them: a server that is started in the folder <code>examples</code> runs
        them all.
      </p>
      <ul className="examples">
        {examples.map((example) => (
          <li key={`${example.name} ${example.language}`}>
            <button type="button" className="example" onClick={() => void choose(example)}>
              <span>{example.name}</span> <span className="example-language">{example.language}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
