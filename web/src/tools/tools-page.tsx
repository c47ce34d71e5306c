import { EmptyState } from "../design/empty-state.tsx";

export default function ToolsPage() {
  return <EmptyState title="Tools" />;
}
