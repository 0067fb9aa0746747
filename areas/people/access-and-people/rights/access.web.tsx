import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { personRecordCalls } from '#areas/people/people/records/records.contract.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Name, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import {
  Link,
  Navigate,
  addressOfRecord,
  forgetUnsaved,
  to,
  useParams,
  useSearchParams,
  useUnsaved,
} from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { grantDifferenceOf, grantsOf } from './grants.rules.ts'
import type { GrantPlace, RoleRights } from './grants.rules.ts'
import { MOST_CHANGES, rightsCalls } from './rights.contract.ts'
import type { AccessChange, PersonAccess } from './rights.contract.ts'
import { AccessLines, accessPlaceOf, type Answer, type AccessDraft, type AccessUnit } from './access-lines.web.tsx'
import { Give } from './give.web.tsx'
import css from './rights.module.css'
import { DifferenceOf, PlaceName, useDays, useRightName } from './words.web.tsx'

const draftOf = ({ roles, access_entries, permissions, user }: PersonAccess): AccessDraft => ({
  roles: roles.map(({ id, role, scope, valid_from, valid_to }) => ({
    id,
    role_id: role.id,
    scope: accessPlaceOf(scope),
    valid_from,
    valid_to,
  })),
  access_entries: access_entries.map(({ id, permission, scope, valid_from, valid_to }) => ({
    id,
    permission,
    scope: accessPlaceOf(scope)!,
    valid_from,
    valid_to,
  })),
  permissions: permissions.map((one) => one.permission),
  is_super_admin: user.is_super_admin,
})

/** The rights of somebody whose page the reader does not open; whose page it is, shows them among its tabs. */
export default function Access() {
  const id = Number(useParams().id)
  const t = useT('access-and-people')
  const page = useCall(personRecordCalls.pageOf, { params: { id } })
  const { data } = useCall(rightsCalls.getAccess, { params: { id } })
  const address = page.data && addressOfRecord(page.data.data.kind, 'show', page.data.data.id)
  if (address) return <Navigate to={`${address}?tab=rights`} replace />
  return (
    <Page title={data?.data.user} subtitle={data ? (data.data.user.email ?? t('access_of')) : '\u00A0'}>
      {page.error ? <PersonRights id={id} /> : <Bone />}
    </Page>
  )
}

/** What a person is given, changed as a whole: what the change gives and takes is seen before it is saved. */
export function PersonRights({ id }: { id: number }) {
  const { data, error, refetch } = useCall(rightsCalls.getAccess, { params: { id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return data ? (
    <Editor key={data.data.seen} id={id} answer={data} />
  ) : (
    <Stack>
      <Bone />
      <Bone />
    </Stack>
  )
}

/** What is being given; whoever comes to give a role (`?give=role`) has said so, once. */
function useAdding() {
  const [query, setQuery] = useSearchParams()
  const adding = useState<'role' | 'entry' | 'direct' | null>(query.get('give') === 'role' ? 'role' : null)
  const came = query.has('give')
  useEffect(() => {
    if (!came) return
    setQuery(
      (had) => {
        had.delete('give')
        return had
      },
      { replace: true },
    )
  }, [came, setQuery])
  return adding
}

function Editor({ id, answer: { data, meta } }: { id: number; answer: Answer }) {
  const t = useT('access-and-people')
  const tk = useT('kit')
  const l = useLanguage()
  const say = useRightName()
  const before = draftOf(data)
  const [draft, setDraft] = useState(before)
  const [adding, setAdding] = useAdding()
  const [reason, setReason] = useState('')
  const { busy, problem, go, send } = useChange('/users', '/rights', '/employees', '/instructors')
  const unitOf = (place: GrantPlace | null): AccessUnit | null =>
    place && (meta.units.find((unit) => unit.type === place.type && unit.id === place.id) ?? null)
  const rights: RoleRights = new Map(
    meta.roles.map((role) => [
      role.id,
      Object.entries(role.rights).map(([permission, reach]) => ({ permission, reach })),
    ]),
  )
  const difference = grantDifferenceOf(
    grantsOf(before, rights),
    grantsOf(draft, rights),
    (place) => unitOf(place)?.lies_in ?? [place],
  )
  const changed = JSON.stringify(draft) !== JSON.stringify(before)
  useUnsaved(changed)
  const save = async () => {
    const done = await go(() =>
      send(rightsCalls.setAccess, {
        params: { id },
        body: {
          roles: draft.roles.map((one) => ({ ...one })),
          access_entries: draft.access_entries.map((accessEntry) => ({ ...accessEntry })),
          permissions: [...draft.permissions],
          ...(draft.is_super_admin !== before.is_super_admin && { is_super_admin: draft.is_super_admin }),
          ...(reason.trim() && { reason: reason.trim() }),
          seen: data.seen,
        },
      }),
    )
    if (!done) return
    forgetUnsaved()
    notify.done(t('access_saved', { name: nameOf(data.user, l) }))
  }
  const roleOf = (role_id: number) => meta.roles.find((one) => one.id === role_id)
  return (
    <Stack>
      <Card
        title={t('roles_title')}
        text={t('roles_text')}
        aside={
          <Group gap="xs">
            <Button
              size="xs"
              variant="subtle"
              component={Link}
              to={to('/settings/rights', {}, { tab: 'why', user: id })}
            >
              {t('why_title')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setAdding('role')}>
              {t('role_give')}
            </Button>
          </Group>
        }
      >
        <AccessLines
          empty={t('roles_none')}
          rows={draft.roles}
          unitOf={unitOf}
          today={meta.today}
          stored={(one) => data.roles.find((row) => row.id === one.id)}
          name={(one) => {
            const role = roleOf(one.role_id)
            return role ? <Name row={role} /> : one.role_id
          }}
          text={(one) => nameOf(roleOf(one.role_id) ?? { name: '' }, l)}
          change={(roles) => setDraft({ ...draft, roles })}
        />
      </Card>
      <Card
        title={t('entries_title')}
        text={t('entries_text')}
        aside={
          <Button size="xs" variant="default" onClick={() => setAdding('entry')}>
            {t('entry_give')}
          </Button>
        }
      >
        <AccessLines
          empty={t('entries_none')}
          rows={draft.access_entries}
          unitOf={unitOf}
          today={meta.today}
          stored={(one) => data.access_entries.find((row) => row.id === one.id)}
          name={(one) => <bdi>{say(one.permission)}</bdi>}
          text={(one) => say(one.permission)}
          change={(access_entries) => setDraft({ ...draft, access_entries })}
        />
      </Card>
      <Direct
        draft={draft}
        setDraft={setDraft}
        maySuper={meta.may.assign_super_admin}
        onGive={() => setAdding('direct')}
      />
      {changed && (
        <Card title={t('preview_title')} text={t('preview_text')} changed>
          <DifferenceOf difference={difference} units={meta.units} />
          {problem !== null && <Problems error={problem} />}
          <TextInput
            mt="sm"
            label={t('reason')}
            value={reason}
            maxLength={400}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={css.bar}>
            <Button variant="default" disabled={busy} onClick={() => setDraft(before)}>
              {tk('cancel')}
            </Button>
            <Button loading={busy} onClick={() => void save()}>
              {t('access_save')}
            </Button>
          </div>
        </Card>
      )}
      <History id={id} />
      {adding && (
        <Give
          what={adding}
          answer={meta}
          onClose={() => setAdding(null)}
          onGive={(add) => {
            setDraft({
              ...draft,
              roles: [...draft.roles, ...(add.roles ?? [])],
              access_entries: [...draft.access_entries, ...(add.access_entries ?? [])],
              permissions: [...new Set([...draft.permissions, ...(add.permissions ?? [])])],
            })
            setAdding(null)
          }}
        />
      )}
    </Stack>
  )
}

/** Rights given by themselves, without a role. */
function Direct({
  draft,
  setDraft,
  maySuper,
  onGive,
}: {
  draft: AccessDraft
  setDraft: (draft: AccessDraft) => void
  maySuper: boolean
  onGive: () => void
}) {
  const t = useT('access-and-people')
  const say = useRightName()
  return (
    <Card
      title={t('direct_title')}
      text={t('direct_text')}
      aside={
        <Button size="xs" variant="default" onClick={() => onGive()}>
          {t('direct_give')}
        </Button>
      }
    >
      {draft.permissions.length ? (
        <ul className={css.lines}>
          {draft.permissions.map((key) => (
            <li key={key}>
              <bdi>{say(key)}</bdi>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('take_named', { name: say(key) })}
                onClick={() =>
                  setDraft({ ...draft, permissions: draft.permissions.filter((permission) => permission !== key) })
                }
              >
                {t('take')}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className={css.dim}>{t('direct_none')}</p>
      )}
      {maySuper && (
        <Checkbox
          mt="sm"
          label={t('super_admin')}
          description={t('super_admin_text')}
          checked={draft.is_super_admin}
          onChange={(event) => setDraft({ ...draft, is_super_admin: event.currentTarget.checked })}
        />
      )}
    </Card>
  )
}

/** Who gave and took what, newest first. */
function History({ id }: { id: number }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const right = useRightName()
  const days = useDays()
  const { data, error, refetch } = useCall(rightsCalls.accessHistory, { params: { id }, body: {} })
  const what = (one: AccessChange): ReactNode =>
    one.what === 'users' ? (
      t(one.everything ? 'history_super' : 'history_account')
    ) : (
      <>
        {one.role ? <Name row={one.role} /> : <bdi>{right(one.permission ?? '')}</bdi>}
        {one.what !== 'user_permissions' && (
          <>
            {' · '}
            <PlaceName scope={one.scope} />
            {' · '}
            {days(one)}
          </>
        )}
      </>
    )
  return (
    <Card title={t('history')}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={80} />
      ) : !data.data.length ? (
        <p className={css.dim}>{t('history_none')}</p>
      ) : (
        <ul className={css.lines}>
          {data.data.map((one, i) => (
            <li key={i}>
              <div>
                {one.what !== 'users' && (
                  <Status
                    is={one.change === 'delete' ? 'removed' : one.change === 'insert' ? 'added' : 'changed'}
                    label={t(`history_${one.change}`)}
                  />
                )}{' '}
                {what(one)}
                <p className={css.dim}>
                  {formatInstant(one.at, l)}
                  {one.by && ` · ${nameOf(one.by, l)}`}
                  {one.as && ` (${nameOf(one.as, l)})`}
                  {one.reason && (
                    <>
                      {' · '}
                      <bdi>{one.reason}</bdi>
                    </>
                  )}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <OnlyFirst rows={data?.data.length ?? 0} most={MOST_CHANGES} />
    </Card>
  )
}
