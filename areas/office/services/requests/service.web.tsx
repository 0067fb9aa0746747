import type { Row } from '#kit/contract/resource.ts'
import { daysBetween, dayOf } from '#kit/contract/day.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { OfficeParts } from './office.web.tsx'
import { service } from './service.contract.ts'
import css from '../services.module.css'

type Asked = Row<typeof service>

/** Which service it is, and by how much it is late. */
function What({ row }: { row: Asked }) {
  const t = useT('services')
  const late = row.due_on ? daysBetween(row.due_on, dayOf()) : 0
  return (
    <span className={css.what}>
      {row.kind ? nameOf(row.kind) : '–'}
      {late > 0 && <Status is="late" label={t('late', { count: late })} />}
    </span>
  )
}

/** Requests before the eyes of an office: what was asked, the note of the office, and its step in one place. */
export default resourceWeb(service, {
  what: (row: Asked) => <What row={row} />,
  Beneath: ({ row }: { row: Asked }) => <OfficeParts id={row.id} version={row.version} />,
  takenBeneath: ['take_up', 'forward', 'finish', 'resend'],
})
