import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { navigate } from "../router.tsx";
import { enter, takeReturnAddress, tokenNeeded } from "./session.ts";

/** Asks for a token where the server wants one. */
export function TokenDialog() {
  const isNeeded = useSyncExternalStore(tokenNeeded.subscribe, tokenNeeded.get);
  useEffect(() => {
    const address = takeReturnAddress();
    if (address !== undefined) navigate(address, { replace: true });
  }, []);
  return isNeeded ? <AskForToken /> : null;
}

function AskForToken() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem((await enter(token.trim()).catch(() => "The server cannot be reached.")) ?? "");
  };
  return (
    <Dialog title="A token is needed" onClose={() => {}}>
      <form className="dialog-body-form" onSubmit={submit}>
        <p>
          Open the address that <code>sequitur serve</code> printed, or make a token with{" "}
          <code>sequitur token issue</code> and enter it here.
        </p>
        <label>
          Token{" "}
          <input
            className="input"
            type="password"
            autoComplete="off"
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        {problem !== "" && (
          <p className="error-text" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button kind="primary" type="submit">
            Enter
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
