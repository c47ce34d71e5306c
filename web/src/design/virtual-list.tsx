import { type HTMLAttributes, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Rows above and below what is seen, so that scrolling shows no gap. */
const MARGIN = 12;

/**
 * A list of rows of one height, of which only those in sight exist. `reveal` is the number of a row to scroll to. The list
 * takes the height that its `className` gives it.
 */
export function VirtualList({
  count,
  rowHeight,
  row,
  reveal,
  className = "",
  ...rest
}: {
  readonly count: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ReactNode;
  readonly reveal?: number | undefined;
} & HTMLAttributes<HTMLDivElement>) {
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 600 });

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (element === null || reveal === undefined || reveal < 0) return;
    const from = reveal * rowHeight;
    if (from < element.scrollTop || from + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = from - element.clientHeight / 2;
  }, [reveal, rowHeight]);

  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  const rows: ReactNode[] = [];
  for (let index = first; index < last; index++) {
    rows.push(
      <div
        key={index}
        className="virtual-row"
        style={{ transform: `translateY(${index * rowHeight}px)`, height: rowHeight }}
      >
        {row(index)}
      </div>,
    );
  }
  return (
    <div className={`virtual ${className}`} ref={box} {...rest}>
      <div style={{ height: count * rowHeight }} />
      <div style={{ position: "absolute", inset: "0 0 auto 0" }}>{rows}</div>
    </div>
  );
}
