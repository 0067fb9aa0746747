import { useCall } from '#kit/web/api/index.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { STATES, placementTestCalls } from '../tests/test.contract.ts'
import css from '../placement-tests.module.css'

/** Placement tests of a student and what each result does, on the student's record; nothing where there are none. */
export default function Placements({ id }: { readonly id: number }) {
  const t = useT('placement-tests')
  const say = useLabel()
  const lang = useLanguage()
  const { data } = useCall(placementTestCalls.placements, { params: { model: 'student', id } }, { retry: false })
  const rows = (data?.data ?? []).filter((one) => one.state !== 'missing')
  if (!rows.length) return null
  const names = (list: (typeof rows)[number]['excused']) =>
    formatList(
      list.map((one) => one.code ?? nameOf(one, lang)),
      lang,
    )
  return (
    <Card title={t('placements')}>
      <ul className={css.list}>
        {rows.map((row) => {
          const state = STATES.find(({ value }) => value === row.state)!
          return (
            <li key={row.test.id}>
              <div className={css.head}>
                <strong>
                  <bdi>{nameOf(row.test, lang)}</bdi>
                </strong>
                <Status tone={state.tone} label={say(state.label)} />
                {row.level_name && (
                  <bdi>{nameOf({ name: row.level_name, name_local: row.level_name_local }, lang)}</bdi>
                )}
                {row.score !== null && <Code>{`${row.score} / ${row.max_score}`}</Code>}
              </div>
              <div className={css.dim}>
                {row.taken_on && <div>{t('taken_line', { day: formatDate(row.taken_on, 'long', lang) })}</div>}
                {row.state === 'due' && row.is_required && <div>{t('due_line')}</div>}
                {row.excused.length > 0 && <div>{t('excused_line', { courses: names(row.excused) })}</div>}
                {row.placed.length > 0 && <div>{t('placed_line', { courses: names(row.placed) })}</div>}
                {row.above.length > 0 && <div>{t('above_line', { courses: names(row.above) })}</div>}
                {row.reason && (
                  <div>
                    <bdi>{row.reason}</bdi>
                  </div>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
