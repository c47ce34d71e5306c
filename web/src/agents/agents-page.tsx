import { EmptyState } from "../design/empty-state.tsx";

export default function AgentsPage() {
  return <EmptyState title="Agents" />;
}
