import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface Tab {
  readonly key: string;
  readonly name: ReactNode;
  readonly content: () => ReactNode;
}

/** Arrow keys go from tab to tab, as people expect of tabs. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (key: string) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ key }) => key === selected) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || current === undefined) return;
    event.preventDefault();
    const at = (tabs.indexOf(current) + by + tabs.length) % tabs.length;
    onSelect(tabs[at]?.key ?? current.key);
    (list.current?.children[at] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ key, name }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current?.key}
            aria-controls={`${id}-panel`}
            tabIndex={key === current?.key ? 0 : -1}
            onClick={() => onSelect(key)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current?.key}`}>
        {current?.content()}
      </div>
    </>
  );
}
