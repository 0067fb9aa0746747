import { Button, Group } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed, confirm, notify } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { NamePasskey } from '#kit/web/second-factor/name-passkey.tsx'
import { knowsPasskeys, newPasskey } from '#kit/web/second-factor/passkey.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { passkeyCalls as calls } from './passkey.contract.ts'
import type { Passkey } from './passkey.contract.ts'
import css from './passkeys.module.css'

/** The own passkeys: which there are, one more, another name, taken off. */
export function Passkeys({ only, onCodes }: { only: boolean; onCodes: (codes: readonly string[]) => void }) {
  const t = useT('access-and-people')
  const say = useT('sign-in')
  const l = useLanguage()
  const me = useMe()
  const { send } = useChange('/users/passkeys', '/users/second-factor')
  const { data, error, refetch } = useCall(calls.passkeys)
  const [open, setOpen] = useState<'new' | number | null>(null)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  const own = !me.live.impersonation
  const add = (name: string) =>
    newPasskey(
      () => send(calls.offer) as never,
      async (answer) => {
        const added = await send(calls.addPasskey, { body: { name, answer: answer as never } })
        setOpen(null)
        notify.done(t('passkey_added'))
        if (added.data.recovery_codes.length) onCodes(added.data.recovery_codes)
      },
    )
  const rename = async (id: number, name: string) => {
    await send(calls.renamePasskey, { params: { id }, body: { name } })
    setOpen(null)
    notify.done(t('passkey_renamed'))
  }
  const remove = async ({ id, name }: Passkey) => {
    const done = await confirm({
      title: t('passkey_remove_title', { name }),
      consequence: t(only && data.data.length === 1 ? 'passkey_remove_last_text' : 'passkey_remove_text'),
      action: t('passkey_remove'),
      danger: true,
      go: () => send(calls.removePasskey, { params: { id } }),
    })
    if (done) notify.done(t('passkey_removed'))
  }
  const row = (one: Passkey) => (
    <li key={one.id}>
      <IconFingerprint size={22} stroke={1.4} aria-hidden />
      <div>
        <bdi className={css.name}>{one.name}</bdi>
        <div className={css.when}>
          {t('passkey_since', { when: formatInstant(one.created_at, l) })} ·{' '}
          {one.last_used_at
            ? t('passkey_used', { when: formatAgo(one.last_used_at, undefined, l) })
            : t('passkey_never')}
          {one.synced && ` · ${t('passkey_synced')}`}
        </div>
        {open === one.id && (
          <NamePasskey
            name={one.name}
            action={t('passkey_rename')}
            go={(name) => rename(one.id, name)}
            onCancel={() => setOpen(null)}
          />
        )}
      </div>
      {own && open !== one.id && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setOpen(one.id)}>
            {t('passkey_rename')}
          </Button>
          <Button size="xs" variant="default" color="red" onClick={() => void remove(one)}>
            {t('passkey_remove')}
          </Button>
        </Group>
      )}
    </li>
  )
  return (
    <Card title={t('passkeys')} text={t('passkeys_text')}>
      <Stack gap={12}>
        {data.data.length > 0 && <ul className={css.list}>{data.data.map(row)}</ul>}
        {open === 'new' ? (
          <NamePasskey action={say('passkey_make')} go={add} onCancel={() => setOpen(null)} />
        ) : (
          own && (
            <div>
              <Button
                variant={data.data.length ? 'default' : 'filled'}
                onClick={() => setOpen('new')}
                disabled={!knowsPasskeys()}
              >
                {t('passkey_add')}
              </Button>
            </div>
          )
        )}
        {!knowsPasskeys() && <div className={css.when}>{t('passkeys_not_here')}</div>}
      </Stack>
    </Card>
  )
}
