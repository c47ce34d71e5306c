import { EmptyState } from "../design/empty-state.tsx";

export default function EditPage() {
  return <EmptyState title="Edit" />;
}
