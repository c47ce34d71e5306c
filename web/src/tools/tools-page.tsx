import { Catalogue } from "../catalogue/catalogue.tsx";
import { SchemaPanel } from "../catalogue/schema-panel.tsx";
import { UsedByPanel } from "../catalogue/used-by.tsx";
import { useUses } from "../catalogue/uses.ts";
import { ownFirst, type ServerTool, useSurroundings } from "../data/surroundings.ts";
import { ErrorState } from "../design/error-state.tsx";
import { Loading } from "../design/loading.tsx";
import { LongText } from "../json/long-text.tsx";

/** The tools that plans can call here. */
export default function ToolsPage() {
  const { data, error, reload } = useSurroundings();
  const usesOf = useUses(data?.agents);
  if (data === undefined)
    return error === undefined ? <Loading what="the tools" /> : <ErrorState error={error} onRetry={reload} />;
  return (
    <Catalogue
      title="Tools"
      entries={ownFirst(data.tools, ({ name }) => name).map((tool) => ({ ...tool, marks: marksOf(tool) }))}
      empty={
        <p>
          Start the server with <code>--tools MODULE</code>, and what the module exports can be called.
        </p>
      }
      details={(tool) => (
        <>
          <div className="catalogue-head">
            <h2 className="catalogue-title">
              <bdi>{tool.name}</bdi>
            </h2>
            {tool.description !== null && (
              <p>
                <LongText text={tool.description} max={600} />
              </p>
            )}
            <p className="catalogue-about">{effectsOf(tool)}</p>
          </div>
          <SchemaPanel title="Takes" schema={tool.input} />
          <SchemaPanel title="Gives" schema={tool.output} />
          <UsedByPanel uses={usesOf(tool.name)} />
        </>
      )}
    />
  );
}

function marksOf({ sideEffects, requiresConfirmation }: ServerTool): string[] {
  return [
    ...(sideEffects ? ["changes something"] : []),
    ...(requiresConfirmation ? ["asks before it runs"] : []),
  ];
}

function effectsOf({ sideEffects, requiresConfirmation }: ServerTool): string {
  const changes = sideEffects
    ? "It changes something in the world."
    : "It does not say that it changes anything.";
  return requiresConfirmation ? `${changes} A person has to say yes before it runs.` : changes;
}
