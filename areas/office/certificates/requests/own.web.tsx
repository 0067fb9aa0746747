import Inbox from '#kit/web/workflow/inbox.tsx'
import certificateWeb from './certificate.web.tsx'

const own = {
  ...certificateWeb,
  resource: { ...certificateWeb.resource, screens: { add: '/services/certification/add' } },
  // What is empty, and what only the office counts, says nothing to who asked.
  tells: (row: Readonly<Record<string, unknown>>, name: string) =>
    row[name] !== null && row[name] !== undefined && row[name] !== 0,
}

/** The own certificates: where each stands, who has it, and what was issued. */
export default function OwnCertificates() {
  return <Inbox web={own} own />
}
