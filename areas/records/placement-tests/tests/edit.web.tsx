import ResourceForm from '#kit/web/form/resource-form.tsx'
import { useParams } from '#kit/web/router/index.ts'
import testWeb from './test.web.tsx'

/** One placement test; without an id, a new one. */
export default function EditPlacementTest() {
  return <ResourceForm web={testWeb} mode={useParams().id ? 'edit' : 'add'} />
}
