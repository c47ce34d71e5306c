/* Does the server want a token? It says so with status 401; then a person is asked for one. */
const listeners = new Set<() => void>();
let isAsking = false;

export function askForToken(): void {
  if (isAsking) return;
  isAsking = true;
  for (const listener of listeners) listener();
}

export const tokenNeeded = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): boolean => isAsking,
};

const RETURN_TO = "sequitur-return-to";

/** Says what is wrong with the token. Where nothing is, the server makes a cookie of it, and the page is loaded anew. */
export async function enter(token: string): Promise<string | undefined> {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: "{ __typename }" }),
    credentials: "omit",
  });
  if (response.status === 401) {
    const { errors } = (await response.json()) as { errors?: { message: string }[] };
    return errors?.[0]?.message ?? "The server does not take this token.";
  }
  sessionStorage.setItem(RETURN_TO, window.location.pathname + window.location.search);
  window.location.assign(`/?token=${encodeURIComponent(token)}`);
  return undefined;
}

/** Where the person was when the token was asked for; asked once. */
export function takeReturnAddress(): string | undefined {
  const address = sessionStorage.getItem(RETURN_TO) ?? undefined;
  sessionStorage.removeItem(RETURN_TO);
  return address;
}
