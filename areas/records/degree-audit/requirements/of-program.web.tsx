import { RequirementsOf } from './editor.web.tsx'

/** Requirements of a program beyond its study plan. */
export default function RequirementsOfProgram() {
  return <RequirementsOf of="program" />
}
