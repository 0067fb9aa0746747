import { Status } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useListTerm } from '../terms/term-filter.web.tsx'
import { stage } from './stage.contract.ts'

/** Whether a window is open now. */
function StageState({ row }: { row: { starts_at: string; ends_at: string } }) {
  const t = useT('terms')
  const now = Date.now()
  if (now < Date.parse(row.starts_at)) return <Status is="opens_later" label={t('opens_later')} />
  return now < Date.parse(row.ends_at) ? (
    <Status is="open" label={t('open_now')} />
  ) : (
    <Status is="closed" label={t('closed')} />
  )
}

/** Narrower than usual, so that the state is in sight on a small screen. */
const WIDTHS = { term_id: 120, stage_code_id: 150, starts_at: 160, ends_at: 160 }

export default resourceWeb(stage, {
  list: {
    useParts: useListTerm,
    filters: { stage_code_id: stage.fields.stage_code_id, stage_group_id: stage.fields.stage_group_id },
    columns: (generic) => [
      ...generic.map((c) => (c.key in WIDTHS ? { ...c, width: WIDTHS[c.key as keyof typeof WIDTHS] } : c)),
      { key: 'state', label: ['State', 'الحالة'], cell: (row) => <StageState row={row as never} />, width: 150 },
    ],
  },
  detail: { title: (row) => row.stage_code, status: (row) => <StageState row={row} /> },
})
