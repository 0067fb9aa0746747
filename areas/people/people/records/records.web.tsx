import { useCall } from '#kit/web/api/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, addressOfRecord } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from './records.module.css'
import { personRecordCalls } from './records.contract.ts'

/** The other records of the same person that the reader may open: nothing where there are none. */
export function RecordsOf({ kind, id }: { kind: 'user' | 'student' | 'instructor'; id: number }) {
  const t = useT('people')
  const l = useLanguage()
  const { data } = useCall(personRecordCalls.recordsOf, { params: { kind, id } })
  if (!data?.data.length) return null
  return (
    <Card title={t('same_person')} text={t('same_person_text')}>
      <ul className={css.records}>
        {data.data.map((one) => {
          const address = addressOfRecord(one.kind, 'show', one.id)
          const name = <bdi>{nameOf(one, l)}</bdi>
          return (
            <li key={`${one.kind} ${one.id}`}>
              <span>{t(`record_${one.kind}`)}</span>
              {address ? <Link to={address}>{name}</Link> : name}
              {one.code && <Code>{one.code}</Code>}
              <small>{t(`same_by_${one.by}`)}</small>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
