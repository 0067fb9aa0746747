import { useMe } from '#kit/web/auth/index.ts'
import { part } from '#kit/web/later.ts'

// Who asks and who decides see different screens: each fetches its own.
const Own = part(async () => (await import('./own.web.tsx')).OwnServices)
const Desk = part(async () => (await import('./desk.web.tsx')).ServiceDesk)

/** Services: what may be asked for and the own requests; for offices, what waits for them. */
export default function Services() {
  return useMe().user.student_id === null ? <Desk /> : <Own />
}
