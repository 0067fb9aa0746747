import { Facts } from '#kit/web/detail/parts.tsx'
import { useCall } from '#kit/web/api/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { formerNameCalls } from './former.contract.ts'

/** Legal names that a student bore before; nothing where there are none. */
export function FormerNames({ id }: { id: number }) {
  const t = useT('students')
  const { data, error, refetch } = useCall(formerNameCalls.formerNames, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data?.data.length) return null
  return (
    <Card title={t('former_names')} text={t('former_names_text')}>
      <Facts
        items={data.data.map((one) => ({
          label: t('borne_until', { time: formatInstant(one.until) }),
          value: <bdi>{nameOf(one)}</bdi>,
        }))}
      />
    </Card>
  )
}
