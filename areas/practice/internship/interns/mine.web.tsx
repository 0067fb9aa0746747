import { useEffect } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { emtyazInternCalls as calls } from './intern.contract.ts'

/** The own internship year: of one it opens by itself, of several they are listed. */
export default function MyInternshipYear() {
  const t = useT('internship')
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(calls.mine, {})
  const [only, second] = data?.data ?? []
  const id = only && !second ? only.id : null
  useEffect(() => {
    if (id !== null) void navigate(to('/emtyaz/registration/:id', { id }), { replace: true })
  }, [navigate, id])
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data || id !== null) return <Bone height={300} />
  return (
    <Page title={t('mine')}>
      <Card>
        {data.data.length === 0 ? (
          <Empty title={t('no_year')} text={t('no_year_text')} />
        ) : (
          <ul>
            {data.data.map((one) => (
              <li key={one.id}>
                <Link to={to('/emtyaz/registration/:id', { id: one.id })}>{nameOf(one.year)}</Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Page>
  )
}
