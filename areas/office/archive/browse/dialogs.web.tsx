import { useState } from 'react'
import { ActionIcon, Button, Group, Radio, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolder, IconX } from '@tabler/icons-react'
import { f } from '#kit/contract/field.ts'
import type { Change } from '#kit/web/api/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Bdi, Dialog, Failed, Problems } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { MOST_NAMES, treeCalls } from '../tree/tree.contract.ts'
import css from './archive.module.css'
import type { ShownEntry, WholeEntry } from './kinds.web.tsx'

interface Asked {
  readonly change: Change
  readonly onClose: () => void
}

/** Names of an entry that is made or renamed. */
export function NameDialog({
  change: { send },
  onClose,
  parent_id,
  kind,
  entry,
  onMade,
}: Asked & {
  readonly parent_id: number
  readonly kind: 'folder' | 'page'
  readonly entry?: ShownEntry
  readonly onMade?: (id: number) => void
}) {
  const t = useT('archive')
  return (
    <Dialog opened onClose={onClose} title={entry ? t('rename') : t(kind === 'page' ? 'new_page' : 'new_folder')}>
      <Form
        fields={{
          name: f.text(asLabel(t('name')), { required: true, max: 120 }),
          name_local: f.text(asLabel(t('name_local')), { max: 120 }),
          short_name: f.text(asLabel(t('short_name')), { max: 60, help: asLabel(t('short_name_text')) }),
        }}
        values={entry ? { name: entry.name, name_local: entry.name_local, short_name: entry.short_name } : null}
        bar="dialog"
        always={!entry}
        onCancel={onClose}
        below={<ShortNameSaid id={entry?.id ?? parent_id} own={entry?.short_name ?? null} isNew={!entry} />}
        onSave={async ({ name, name_local, short_name }) => {
          const names = {
            name: String(name),
            name_local: (name_local as string | null) ?? null,
            short_name: (short_name as string | null) ?? null,
          }
          if (!entry) return (await send(treeCalls.putArchive, { body: { ...names, parent_id, kind } })).data.id
          await send(treeCalls.updateArchive, { params: { id: entry.id }, body: { ...names, version: entry.version } })
          return null
        }}
        onSaved={(made) => {
          onClose()
          if (made !== null) onMade?.(made)
        }}
      />
    </Dialog>
  )
}

/** Whether the short name that is being typed is free: who waits for the answer of the form has typed the rest in vain. */
function ShortNameSaid({
  id,
  own,
  isNew,
}: {
  readonly id: number
  readonly own: string | null
  readonly isNew: boolean
}) {
  const t = useT('archive')
  const short = ((useFormValue('short_name') as string | null | undefined) ?? '').trim()
  const [asked] = useDebouncedValue(short, 250)
  const open = asked !== '' && asked !== own
  const check = useCall(
    treeCalls.checkShortName,
    { params: { id, name: asked }, query: isNew ? { inside: '1' } : {} },
    { enabled: open },
  )
  const answer = open && asked === short ? check.data?.data : undefined
  const said = !answer
    ? ''
    : t(!answer.valid ? 'short_name_wrong' : answer.free ? 'short_name_free' : 'short_name_taken')
  return (
    <p
      className={answer && !(answer.valid && answer.free) ? css.wrong : css.dim}
      aria-live="polite"
      style={{ margin: 0 }}
    >
      {said}
    </p>
  )
}

/** Chooses the folder into which entries go. */
export function MoveEntryDialog({
  change: { busy, problem, go, send },
  onClose,
  entries,
  copies,
  from,
  onDone,
}: Asked & {
  readonly entries: readonly ShownEntry[]
  readonly copies: boolean
  readonly from: number
  readonly onDone: (into: string) => void
}) {
  const t = useT('archive')
  const kit = useT('kit')
  const [at, setAt] = useState(from)
  const { most, more } = useMost(200, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(treeCalls.listArchive, {
    body: { parent_id: at, kind: 'folder', perPage: most },
  })
  const ids = entries.map(({ id }) => id)
  const put = async () => {
    const call = copies ? treeCalls.pasteArchive : treeCalls.moveArchive
    if (!(await go(() => send(call, { params: { id: at }, body: { ids } })))) return
    onClose()
    onDone(data ? nameOf(data.folder) : '')
  }
  return (
    <Dialog opened onClose={onClose} title={t(copies ? 'copy_title' : 'move_title', { count: ids.length })}>
      {!copies && <p className={css.dim}>{t('moved_note')}</p>}
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <div aria-busy={!data || undefined} style={{ minBlockSize: 220 }}>
          <ol className={css.path} aria-label={t('path')}>
            {data?.path.map((step) => (
              <li key={step.id}>
                <Button variant="subtle" size="compact-sm" onClick={() => setAt(step.id)}>
                  <Bdi>{nameOf(step)}</Bdi>
                </Button>
              </li>
            ))}
            {data && (
              <li>
                <strong>
                  <Bdi>{nameOf(data.folder)}</Bdi>
                </strong>
              </li>
            )}
          </ol>
          <ul className={css.lines}>
            {data?.data
              .filter(({ id }) => !ids.includes(id))
              .map((folder) => (
                <li key={folder.id}>
                  <button type="button" className={css.open} onClick={() => setAt(folder.id)}>
                    <IconFolder size={18} stroke={1.5} aria-hidden />
                    <Bdi>{nameOf(folder)}</Bdi>
                  </button>
                </li>
              ))}
          </ul>
          {data && <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} />}
        </div>
      )}
      {problem !== null && <Problems error={problem} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {kit('cancel')}
        </Button>
        <Submit
          loading={busy}
          missing={[!data?.folder.abilities.includes('add') && t('no_adding')]}
          onClick={() => void put()}
        >
          {t(copies ? 'copy_here' : 'move_here')}
        </Submit>
      </Group>
    </Dialog>
  )
}

type Line = NonNullable<WholeEntry['access']>[number]
const keyOf = ({ user_id, role_id }: Pick<Line, 'user_id' | 'role_id'>): string =>
  user_id ? `u${user_id}` : `r${role_id}`

/** Who sees a folder, and who changes what is in it. */
export function AccessDialog({
  change: { busy, problem, go, send },
  onClose,
  entry,
}: Asked & { readonly entry: WholeEntry }) {
  const t = useT('archive')
  const kit = useT('kit')
  const [limited, setLimited] = useState(!entry.inherits)
  const [lines, setLines] = useState<readonly Line[]>(entry.access ?? [])
  const [search, setSearch] = useState('')
  const found = useCall(treeCalls.archiveNames, { body: { search } }, { enabled: limited })
  const offered = [
    ...(found.data?.data.roles ?? []).map((role) => ({ user_id: null, role_id: role.id, ...role })),
    ...(found.data?.data.users ?? []).map((user) => ({ user_id: user.id, role_id: null, ...user })),
  ].filter((one) => !lines.some((line) => keyOf(line) === keyOf(one)))
  const save = async () => {
    const body = limited
      ? { inherits: false, access: lines.map(({ user_id, role_id, level }) => ({ user_id, role_id, level })) }
      : { inherits: true }
    if (await go(() => send(treeCalls.updateArchive, { params: { id: entry.id }, body }))) onClose()
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('access_title', { name: nameOf(entry) })}>
      <Stack gap={12}>
        <Radio.Group
          label={t('access_who')}
          value={limited ? 'limited' : 'inherits'}
          onChange={(value) => setLimited(value === 'limited')}
        >
          <Stack gap={6}>
            <Radio value="inherits" label={t('access_inherits')} />
            <Radio value="limited" label={t('access_limited')} />
          </Stack>
        </Radio.Group>
        {limited && (
          <>
            {lines.length === 0 && <p className={css.dim}>{t('access_nobody')}</p>}
            <ul className={css.lines} aria-label={t('access')}>
              {lines.map((line) => (
                <li key={keyOf(line)}>
                  <Bdi className={css.grow}>{nameOf(line)}</Bdi>
                  <Select
                    size="xs"
                    aria-label={t('access_level', { name: nameOf(line) })}
                    allowDeselect={false}
                    value={line.level}
                    data={[
                      { value: 'view', label: t('access_view') },
                      { value: 'edit', label: t('access_edit') },
                    ]}
                    onChange={(level) =>
                      setLines((all) =>
                        all.map((one) => (one === line ? { ...one, level: level === 'edit' ? 'edit' : 'view' } : one)),
                      )
                    }
                  />
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('access_remove', { name: nameOf(line) })}
                    onClick={() => setLines((all) => all.filter((one) => one !== line))}
                  >
                    <IconX size={16} aria-hidden />
                  </ActionIcon>
                </li>
              ))}
            </ul>
            <Select
              label={t('access_add')}
              description={t('access_add_text')}
              searchable
              value={null}
              searchValue={search}
              onSearchChange={setSearch}
              filter={({ options }) => options}
              data={offered.map((one) => ({ value: keyOf(one), label: nameOf(one) }))}
              onChange={(key) => {
                const one = offered.find((other) => keyOf(other) === key)
                if (one)
                  setLines((all) => [
                    ...all,
                    {
                      user_id: one.user_id,
                      role_id: one.role_id,
                      name: one.name,
                      name_local: one.name_local,
                      level: 'view',
                    },
                  ])
                setSearch('')
              }}
            />
            <OnlyFirst rows={found.data?.data.users.length ?? 0} most={MOST_NAMES} found />
          </>
        )}
        {problem !== null && <Problems error={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {kit('cancel')}
          </Button>
          <Button loading={busy} onClick={() => void save()}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
