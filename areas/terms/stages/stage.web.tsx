import { Status } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { stage } from './stage.contract.ts'

/** Whether a window is open now. */
function StageState({ row }: { row: { starts_at: string; ends_at: string } }) {
  const t = useT('terms')
  const now = Date.now()
  if (now < Date.parse(row.starts_at)) return <Status tone="waiting" label={t('opens_later')} />
  return now < Date.parse(row.ends_at) ? (
    <Status tone="active" label={t('open_now')} />
  ) : (
    <Status tone="draft" label={t('closed')} />
  )
}

export default resourceWeb(stage, {
  list: {
    columns: (generic) => [
      ...generic,
      { key: 'state', label: ['State', 'الحالة'], cell: (row) => <StageState row={row as never} />, width: 150 },
    ],
  },
  detail: { title: (row) => row.stage_code, status: (row) => <StageState row={row} /> },
})
