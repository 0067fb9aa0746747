import { Button, Modal, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { directoryCalls as calls } from './scim.contract.ts'

type Answer = ResponseOf<typeof calls.directories>
type Directory = Answer['data'][number]
const YEAR = 365

/** Directories that keep accounts: connected, their tokens, and which role a group gives. */
export default function Directories() {
  const t = useT('access-and-people')
  const { data, error, refetch } = useCall(calls.directories)
  const [adding, setAdding] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  return (
    <Page
      title={t('directories')}
      subtitle={t('directories_text')}
      wide={false}
      action={data && <Button onClick={() => setAdding(true)}>{t('directory_connect')}</Button>}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={400} />
      ) : (
        <Stack gap={16}>
          <Card title={t('directory_address')}>
            <Code>{data.meta.address}</Code>
          </Card>
          {data.data.map((one) => (
            <One key={one.id} directory={one} roles={data.meta.roles} shown={setToken} />
          ))}
          {!data.data.length && <div>{t('directories_none')}</div>}
        </Stack>
      )}
      {adding && <Connect close={() => setAdding(false)} shown={setToken} />}
      {token !== null && (
        <Modal opened onClose={() => setToken(null)} title={t('directory_token')}>
          <Stack gap={12}>
            <div>{t('directory_token_text')}</div>
            <div style={{ overflowWrap: 'anywhere' }}>
              <Code>{token}</Code>
            </div>
            <div style={{ textAlign: 'end' }}>
              <Button onClick={() => setToken(null)}>{t('directory_done')}</Button>
            </div>
          </Stack>
        </Modal>
      )}
    </Page>
  )
}

function Connect({ close, shown }: { close: () => void; shown: (token: string) => void }) {
  const t = useT('access-and-people')
  const { busy, problem, go, send } = useChange('/directories')
  const [name, setName] = useState('')
  const [kinds, setKinds] = useState<string[]>(['2', '1'])
  const [days, setDays] = useState<number | string>(YEAR)
  const connect = () =>
    go(async () => {
      const body = { name, kinds: kinds.map(Number) as (1 | 2 | 3)[], days: Number(days) }
      const { data } = await send(calls.connectDirectory, { body })
      close()
      shown(data.token)
    })
  return (
    <Modal opened onClose={close} title={t('directory_connect')}>
      <Stack gap={12}>
        {problem !== null && <Problems error={problem} />}
        <TextInput
          label={t('directory_name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <MultiSelect
          label={t('directory_kinds')}
          data={(['2', '1', '3'] as const).map((value) => ({ value, label: t(`directory_kind_${value}`) }))}
          value={kinds}
          onChange={setKinds}
        />
        <NumberInput label={t('directory_days')} min={1} max={730} value={days} onChange={setDays} />
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end', flexWrap: 'wrap' }}>
          <Submit
            onCancel={close}
            loading={busy}
            missing={[!name.trim() && t('directory_name'), !kinds.length && t('directory_kinds')]}
            onClick={() => void connect()}
          >
            {t('directory_connect')}
          </Submit>
        </div>
      </Stack>
    </Modal>
  )
}

function One({
  directory,
  roles,
  shown,
}: {
  directory: Directory
  roles: Answer['meta']['roles']
  shown: (token: string) => void
}) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const { busy, problem, go, send } = useChange('/directories')
  const { id, name, kinds, people, tokens, groups } = directory
  const kindText = kinds.map((kind) => t(`directory_kind_${kind as 1 | 2 | 3}`)).join(' · ')
  const end = () =>
    confirm({
      title: name,
      consequence: t('directory_end_text'),
      action: t('directory_end'),
      danger: true,
      go: () => send(calls.endDirectory, { params: { id } }),
    })
  const revoke = (token: Directory['tokens'][number]) =>
    confirm({
      title: `…${token.hint}`,
      consequence: t('directory_revoke_text'),
      action: t('directory_revoke'),
      danger: true,
      go: () => send(calls.revokeToken, { params: { id: token.id } }),
    })
  return (
    <Card title={name} text={`${kindText} · ${t('directory_people', { count: people })}`}>
      <Stack gap={14}>
        {problem !== null && <Problems error={problem} />}
        <section aria-label={t('directory_tokens')}>
          <strong>{t('directory_tokens')}</strong>
          <Stack gap={6}>
            {tokens.map((token) => (
              <div key={token.id}>
                {t('directory_token_line', {
                  hint: token.hint,
                  name: nameOf(token.by, l),
                  until: formatInstant(token.expires_at, l),
                })}
                {' · '}
                {token.revoked_at !== null
                  ? t('directory_revoked')
                  : token.last_used_at === null
                    ? t('directory_unused')
                    : t('directory_used', { at: formatInstant(token.last_used_at, l) })}{' '}
                {token.revoked_at === null && (
                  <Button size="compact-xs" variant="default" onClick={() => void revoke(token)}>
                    {t('directory_revoke')}
                  </Button>
                )}
              </div>
            ))}
          </Stack>
        </section>
        <section aria-label={t('directory_groups')}>
          <strong>{t('directory_groups')}</strong>
          {!groups.length && <div>{t('directory_groups_none')}</div>}
          <Stack gap={8}>
            {groups.map((group) => (
              <Select
                key={group.id}
                label={t('directory_group', { name: group.name, count: group.members })}
                placeholder={t('directory_no_role')}
                data={roles.map((role) => ({ value: String(role.id), label: nameOf(role, l) }))}
                value={group.role_id === null ? null : String(group.role_id)}
                clearable
                searchable
                disabled={busy}
                onChange={(role) =>
                  void go(async () => {
                    await send(calls.mapGroup, {
                      params: { id: group.id },
                      body: { role_id: role === null ? null : Number(role) },
                    })
                    notify.done(t('directory_mapped'))
                  })
                }
              />
            ))}
          </Stack>
        </section>
        <div>
          <Button
            variant="default"
            loading={busy}
            onClick={() =>
              void go(async () =>
                shown((await send(calls.makeToken, { params: { id }, body: { days: YEAR } })).data.token),
              )
            }
          >
            {t('directory_new_token')}
          </Button>{' '}
          <Button variant="default" onClick={() => void end()}>
            {t('directory_end')}
          </Button>
        </div>
      </Stack>
    </Card>
  )
}
