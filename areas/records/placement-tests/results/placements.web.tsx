import { useCall } from '#kit/web/api/index.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { STATES, placementCalls } from '../tests/test.contract.ts'
import css from '../placement-tests.module.css'

/** Placement tests of a student and what each result does, on the student's record; nothing where there are none. */
export default function Placements({ id }: { readonly id: number }) {
  const t = useT('placement-tests')
  const say = useLabel()
  const lang = useLanguage()
  const { data } = useCall(placementCalls.placements, { params: { model: 'student', id } }, { retry: false })
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
        {rows.map((one) => {
          const state = STATES.find(({ value }) => value === one.state)!
          return (
            <li key={one.test.id}>
              <div className={css.head}>
                <strong>
                  <bdi>{nameOf(one.test, lang)}</bdi>
                </strong>
                <Status tone={state.tone} label={say(state.label)} />
                {one.level_name && (
                  <bdi>{nameOf({ name: one.level_name, name_local: one.level_name_local }, lang)}</bdi>
                )}
                {one.score !== null && <Code>{`${one.score} / ${one.max_score}`}</Code>}
              </div>
              <div className={css.dim}>
                {one.taken_on && <div>{t('taken_line', { day: formatDate(one.taken_on, 'long', lang) })}</div>}
                {one.state === 'due' && one.is_required && <div>{t('due_line')}</div>}
                {one.excused.length > 0 && <div>{t('excused_line', { courses: names(one.excused) })}</div>}
                {one.placed.length > 0 && <div>{t('placed_line', { courses: names(one.placed) })}</div>}
                {one.above.length > 0 && <div>{t('above_line', { courses: names(one.above) })}</div>}
                {one.reason && (
                  <div>
                    <bdi>{one.reason}</bdi>
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
