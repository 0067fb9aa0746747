import { z } from 'zod'
import { call } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'

const summary = ['Seats', 'المقاعد'] as const
const response = z.object({ data: z.int() })
const seats = call('PUT', '/example-rooms/{id}/seats', { summary, permission: 'edit_location', response, reads: true })

/** Shows what a call answers, and sends it again: afterwards everything below the path is fetched anew. */
export function Seats({ id }: { readonly id: number }) {
  const t = useT('kit')
  const { data, error, refetch } = useCall(seats, { params: { id } })
  const { busy, problem, go, send } = useChange('/example-rooms')
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Card
      title={t('account')}
      aside={
        <button disabled={busy} onClick={() => void go(() => send(seats, { params: { id } }))}>
          {t('undo')}
        </button>
      }
    >
      {data ? data.data : <Bone height={22} />}
      {problem !== null && <Problems error={problem} />}
    </Card>
  )
}
