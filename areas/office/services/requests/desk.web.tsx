import Inbox from '#kit/web/workflow/inbox.tsx'
import serviceWeb from './service.web.tsx'

/** The inbox of an office: what is overdue longest first. */
export const ServiceDesk = () => <Inbox web={serviceWeb} />
