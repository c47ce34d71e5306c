import { convert, type DialectName, type Program } from "../../../src/compiler.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { LANGUAGES } from "./languages.ts";

/** The plan in the other languages: what would change, or why that language has no words for it. */
export function ConvertDialog({
  program,
  onConvert,
  onClose,
}: {
  readonly program: Program;
  readonly onConvert: (text: string) => void;
  readonly onClose: () => void;
}) {
  const others = (Object.keys(LANGUAGES) as DialectName[]).filter((name) => name !== program.dialect);
  return (
    <Dialog title="Convert the plan" onClose={onClose}>
      {others.map((to) => {
        const { plan, reasons, changes } = convert(program, to);
        return (
          <section key={to} className="conversion">
            <h3>To {LANGUAGES[to].article}</h3>
            {plan === undefined ? (
              <>
                <p>This language has no words for all of it:</p>
                <List items={reasons} />
              </>
            ) : (
              <>
                {changes.length === 0 ? <p>Says the same, in other words.</p> : <List items={changes} />}
                <div>
                  <Button onClick={() => onConvert(`${JSON.stringify(plan, null, 2)}\n`)}>
                    Convert to {LANGUAGES[to].article}
                  </Button>
                </div>
              </>
            )}
          </section>
        );
      })}
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function List({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="remarks">
      {items.map((item) => (
        <li key={item}>
          <bdi>{item}</bdi>
        </li>
      ))}
    </ul>
  );
}
