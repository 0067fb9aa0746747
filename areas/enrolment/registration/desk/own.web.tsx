import { Desk } from './desk.web.tsx'

/** The student's own registration. */
export default function OwnRegistration() {
  return <Desk studentId={null} />
}
