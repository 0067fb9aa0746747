import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { certificate } from './certificate.contract.ts'
import { CertificateParts } from './parts.web.tsx'

type Certificate = Row<typeof certificate>

/** Certificates: which type it is says more than what it is for. */
export default resourceWeb(certificate, {
  what: (row: Certificate) => (row.type ? nameOf(row.type) : row.why),
  Beneath: ({ row }: { row: Certificate }) => <CertificateParts id={row.id} version={row.version} lang={row.lang} />,
})
