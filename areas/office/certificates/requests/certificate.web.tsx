import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { OverdueMark, StandsSince } from '../turns/turn.web.tsx'
import { certificate } from './certificate.contract.ts'
import { CertificateParts } from './parts.web.tsx'
import css from '../certificates.module.css'

type Certificate = Row<typeof certificate>

/** Certificates: which type it is says more than what it is for. */
export default resourceWeb(certificate, {
  what: (row: Certificate) => (
    <span className={css.what}>
      {row.type ? nameOf(row.type) : row.why}
      <OverdueMark due_on={row.due_on} />
    </span>
  ),
  Here: ({ row }: { row: Certificate }) => <StandsSince row={row} />,
  Beneath: ({ row }: { row: Certificate }) => <CertificateParts id={row.id} version={row.version} lang={row.lang} />,
})
