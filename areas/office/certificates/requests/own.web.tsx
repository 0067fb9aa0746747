import Inbox from '#kit/web/workflow/inbox.tsx'
import certificateWeb from './certificate.web.tsx'

const own = {
  ...certificateWeb,
  resource: { ...certificateWeb.resource, screens: { add: '/services/certification/add' } },
}

/** The own certificates: where each stands, who has it, and what was issued. */
export default function OwnCertificates() {
  return <Inbox web={own} own />
}
