import { useEffect, useState } from "react";

/** Said only where it takes a moment: what flashes by disturbs more than it tells. */
export function Loading({ what }: { readonly what: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="state" role="status">
      {isSlow && <p>Loading {what}…</p>}
    </div>
  );
}
