import { RequirementsOf } from './editor.web.tsx'

/** Requirements of all programs under a bylaw. */
export default function RequirementsOfBylaw() {
  return <RequirementsOf of="bylaw" />
}
