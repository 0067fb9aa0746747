import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, confirm, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { subjectCalls, thesisSubject } from './subject.contract.ts'
import css from '../theses.module.css'

/** A subject, with those who wish for it beneath. */
export default resourceWeb(thesisSubject, {
  detail: {
    panels: [{ key: 'wishers', title: ['Who wishes for it', 'الراغبون'], tab: false, Content: Wishers }],
  },
})

function Wishers({ row }: { row: { id: number; abilities: readonly string[] } }) {
  const t = useT('theses')
  const { data, error, refetch } = useCall(subjectCalls.wishers, { params: { id: row.id } })
  const { send } = useChange('/thesis-subjects', '/thesis-wishes', '/theses')
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={120} />
  const give = async (student: { id: number; name: string; name_local: string }) => {
    const name = nameOf(student)
    if (await confirm({ title: t('give_title', { name }), consequence: t('give_text'), action: t('give') }))
      await act({
        go: () => send(subjectCalls.take, { params: { id: row.id }, body: { student_id: student.id } }),
        done: () => t('given', { name }),
      })
  }
  return (
    <Card>
      {data.data.length === 0 && <Empty title={t('no_wishers')} text={t('no_wishers_text')} />}
      <ul className={css.rows}>
        {data.data.map((one) => (
          <li key={one.student.id}>
            <span className={css.grow}>
              <Name row={one.student} />
            </span>
            <small>{t('wish_of', { number: formatNumber(one.position) })}</small>
            {one.gpa !== null && <small>{t('gpa_of', { gpa: one.gpa })}</small>}
            {row.abilities.includes('edit') && (
              <Button size="compact-sm" variant="default" onClick={() => void give(one.student as never)}>
                {t('give')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
