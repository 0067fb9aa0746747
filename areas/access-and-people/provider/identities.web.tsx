import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { providerCalls as calls } from './provider.contract.ts'

/** Identities of single sign-on that are linked to the own account; nothing where there is no single sign-on. */
export function Identities() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const me = useMe()
  const { busy, send, go } = useChange('/users/identities')
  const { data, error, refetch } = useCall(calls.identities)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={120} />
  if (!data.data.length && !data.meta.can_link) return null
  const tell = (work: () => Promise<unknown>) =>
    go(() =>
      work().catch((problem: unknown) => {
        notify.error(problem)
      }),
    )
  const link = (by: 'oidc' | 'saml') =>
    tell(async () => {
      const { url } = (await send(calls.linkIdentity, { query: { by } })).data
      window.location.assign(url)
    })
  const unlink = (id: number) =>
    tell(async () => {
      await send(calls.unlinkIdentity, { params: { id } })
      notify.done(t('identity_unlinked'))
    })
  return (
    <Card title={t('identities')} text={t('identities_text')}>
      <Stack gap={10}>
        {data.data.map((one) => (
          <div key={one.id}>
            <Code>{one.email ?? one.issuer}</Code> · {formatInstant(one.created_at, l)}{' '}
            {!me.live.impersonation && (
              <Button size="xs" variant="default" loading={busy} onClick={() => void unlink(one.id)}>
                {t('identity_unlink')}
              </Button>
            )}
          </div>
        ))}
        {!data.data.length && <div>{t('identities_none')}</div>}
        {data.meta.can_link && !me.live.impersonation && (
          <div>
            {data.meta.by.map((by) => (
              <Button key={by} variant="default" loading={busy} onClick={() => void link(by)} me="xs">
                {t(data.meta.by.length > 1 && by === 'saml' ? 'identity_link_federation' : 'identity_link')}
              </Button>
            ))}
          </div>
        )}
      </Stack>
    </Card>
  )
}
