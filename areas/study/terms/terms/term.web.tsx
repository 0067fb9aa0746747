import { useChange } from '#kit/web/api/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatDate, formatList, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { StageStrip } from '../stages/strip.web.tsx'
import { term, termsBeside } from './term.contract.ts'
import { stage } from '../stages/stage.contract.ts'

/** Days that another term has as well are asked about: a summer term beside a longer one is meant, a wrong year is not. */
function useAsk() {
  const t = useT('terms')
  const lang = useLanguage()
  const { send } = useChange()
  return async (
    values: Readonly<Record<string, unknown>>,
    row: { id: number; start_date: string; end_date: string } | null,
  ) => {
    const [start_date, end_date] = [String(values.start_date), String(values.end_date)]
    if (row && row.start_date === start_date && row.end_date === end_date) return null
    // What is refused anyway is not asked about.
    if (start_date >= end_date) return null
    const { data } = await send(termsBeside, { body: { ...(row && { id: row.id }), start_date, end_date } })
    if (!data.length) return null
    const terms = data.map((one) =>
      t('term_beside', { term: nameOf(one, lang), from: formatDate(one.start_date), until: formatDate(one.end_date) }),
    )
    return {
      title: t('terms_beside', { count: data.length }),
      consequence: t('terms_beside_text', { terms: formatList(terms, lang) }),
      action: t('terms_beside_save'),
    }
  }
}

export default resourceWeb(term, {
  form: { useAsk },
  detail: {
    panels: [
      {
        key: 'windows',
        title: ['Stages', 'المراحل'],
        tab: false,
        permission: stage.permissions.list ?? [],
        Content: ({ row }) => <StageStrip term={row} />,
      },
      {
        key: 'stages',
        title: ['Stages', 'المراحل'],
        ...listPanel(
          stage,
          () => import('../stages/stage.web.tsx'),
          (row) => ({ term_id: [row.id] }),
        ),
      },
    ],
  },
})
