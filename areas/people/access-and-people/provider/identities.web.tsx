import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../passkeys/passkeys.module.css'
import { providerCalls as calls } from './provider.contract.ts'

/** A provider as people know it: its host, where its name is an address. */
const siteOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).hostname : issuer)

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
      <Stack gap={12}>
        {data.data.length > 0 && (
          <ul className={css.list}>
            {data.data.map((one) => (
              <li key={one.id}>
                <IconLink size={20} stroke={1.5} aria-hidden />
                <div>
                  <bdi className={css.name}>{one.email ?? one.issuer}</bdi>
                  <div className={css.when}>
                    {one.email !== null && (
                      <>
                        <bdi>{siteOf(one.issuer)}</bdi> ·{' '}
                      </>
                    )}
                    {t('passkey_since', { when: formatInstant(one.created_at, l) })} ·{' '}
                    {one.last_used_at
                      ? t('passkey_used', { when: formatAgo(one.last_used_at, undefined, l) })
                      : t('passkey_never')}
                  </div>
                </div>
                {!me.live.impersonation && (
                  <Button size="xs" variant="default" loading={busy} onClick={() => void unlink(one.id)}>
                    {t('identity_unlink')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
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
