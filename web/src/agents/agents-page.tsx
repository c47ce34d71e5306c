import { useMemo } from "react";
import { compile, type Json, outline } from "../../../src/compiler.ts";
import { Catalogue } from "../catalogue/catalogue.tsx";
import { SchemaPanel } from "../catalogue/schema-panel.tsx";
import { UsedByPanel } from "../catalogue/used-by.tsx";
import { useUses } from "../catalogue/uses.ts";
import { ownFirst, type ServerAgent, useCompileOptions, useSurroundings } from "../data/surroundings.ts";
import { ErrorState } from "../design/error-state.tsx";
import { Loading } from "../design/loading.tsx";
import { Panel } from "../design/panel.tsx";
import { isObject } from "../form/value-schema.ts";
import { PlanGraph } from "../graph/plan-graph.tsx";
import { sourceOf } from "../json/json-source.ts";
import { JsonTree } from "../json/json-tree.tsx";
import { LongText } from "../json/long-text.tsx";
import { Link } from "../router.tsx";

/** The agents that plans can call here: what they take and give, what they are made of, and who calls them. */
export default function AgentsPage() {
  const { data, error, reload } = useSurroundings();
  const usesOf = useUses(data?.agents);
  if (data === undefined)
    return error === undefined ? (
      <Loading what="the agents" />
    ) : (
      <ErrorState error={error} onRetry={reload} />
    );
  return (
    <Catalogue
      title="Agents"
      entries={ownFirst(data.agents, ({ path }) => path).map((agent) => ({
        ...agent,
        name: agent.path,
        title: agent.name,
        marks: marksOf(agent),
      }))}
      empty={
        <p>
          Start the server with <code>--agents DIR</code>: every file in it that ends with <code>.agent</code>{" "}
          is one.
        </p>
      }
      details={({ path, title, description, definition }) => (
        <>
          <div className="catalogue-head">
            <h2 className="catalogue-title">
              <bdi>{path}</bdi>
            </h2>
            {title !== null && title !== path && <p className="catalogue-about">{title}</p>}
            {description !== null && (
              <p>
                <LongText text={description} max={600} />
              </p>
            )}
            <p>
              <Link to={`/edit?agent=${encodeURIComponent(path)}`}>Open in the editor</Link>
            </p>
          </div>
          <SchemaPanel title="Takes" schema={fieldOf(definition, "arguments")} />
          <SchemaPanel title="Gives" schema={fieldOf(definition, "responses")} />
          <AgentGraph key={path} definition={definition} />
          <Panel title="Definition">
            <JsonTree source={sourceOf(definition)} label="Definition" />
          </Panel>
          <UsedByPanel uses={usesOf(path)} />
        </>
      )}
    />
  );
}

function fieldOf(definition: Json, name: string): Json {
  return isObject(definition) ? (definition[name] ?? null) : null;
}

function marksOf({ definition }: ServerAgent): string[] {
  if (!isObject(definition)) return ["is not JSON"];
  if (typeof definition.system_event_endpoint === "string")
    return [`calls ${definition.system_event_endpoint}`];
  return Array.isArray(definition.instructions) ? [`${definition.instructions.length} instructions`] : [];
}

/** The inside of an agent that is made of others. */
function AgentGraph({ definition }: { readonly definition: Json }) {
  const options = useCompileOptions(useSurroundings().data);
  const plan = useMemo(() => {
    if (!isObject(definition) || definition.instructions === undefined) return undefined;
    const { program } = compile(definition, options);
    return program && outline(program);
  }, [definition, options]);
  if (plan === undefined) return null;
  return (
    <Panel title="Graph" className="catalogue-graph">
      <PlanGraph plan={plan} />
    </Panel>
  );
}
