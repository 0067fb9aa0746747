import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconFile, IconGripVertical, IconPlus, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Name, Problems, Status, act } from '#kit/web/feedback/index.ts'
import { useReorder } from '#kit/web/fields/reorder.ts'
import { formatBytes, formatNumber, nameOf, problemText, useLabel, useT, withHeading } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../publications.module.css'
import { publicationCalls as calls, type MemberRow, type PublicationParts } from './publication.contract.ts'
import { FILE_READERS, FILE_STAGES, LICENCES, MEMBER_ROLES } from './words.contract.ts'

const MemberDialog = partDialog(async () => (await import('./member-dialog.web.tsx')).MemberDialog)
const FileDialog = partDialog(async () => (await import('./file-dialog.web.tsx')).FileDialog)
const PATHS = ['/publications'] as const
/** Names of services are the same in every language. */
const SOURCE_NAMES: Readonly<Record<string, string>> = { crossref: 'Crossref', orcid: 'ORCID', openalex: 'OpenAlex' }

/** Who made a work, its file, where it was found, and what may be the same. */
export function PublicationPartsPanel({
  row,
}: {
  readonly row: { readonly id: number; readonly status?: string | null }
}) {
  const t = useT('publications')
  const { data, error, refetch } = useCall(calls.parts, { params: { id: row.id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const of = data.data
  return (
    <Stack>
      {row.status === 'draft' && of.reasons.length > 0 && (
        <Card title={t('before_listing')}>
          <ul className={css.notes}>
            {of.reasons.map((one) => (
              <li key={one.code}>{problemText(one)}</li>
            ))}
          </ul>
        </Card>
      )}
      {of.doubles.length > 0 && (
        <Card title={t('doubles')} text={t('doubles_of_text')}>
          <ul className={css.notes}>
            {of.doubles.map((one) => (
              <li key={one.id}>
                <Link to={`${to('/my_researches/publications/doubles', {})}?publication=${row.id}`}>
                  <Name row={one.with} />
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Members id={row.id} of={of} />
      <WorkFile id={row.id} of={of} />
      {of.sources.length > 0 && (
        <Card title={t('sources')}>
          <ul className={css.notes}>
            {of.sources.map((one) => (
              <li key={`${one.source} ${one.external_id}`}>
                <bdi>{withHeading(SOURCE_NAMES[one.source] ?? one.source, one.external_id)}</bdi>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Stack>
  )
}

function Members({ id, of }: { readonly id: number; readonly of: PublicationParts }) {
  const t = useT('publications')
  const { send } = useChange(...PATHS)
  const [open, setOpen] = useState<MemberRow | 'new' | null>(null)
  const [told, setTold] = useState('')
  const { members, writes, mine } = of
  const move = (from: number, place: number) =>
    void act({
      go: () => send(calls.moveMember, { params: { id: members[from]!.id, position: place + 1 } }),
      done: () => null,
    })
  const reorder = useReorder(members.length, move, (place) =>
    setTold(t('moved_to', { place: formatNumber(place + 1) })),
  )
  return (
    <Card
      title={t('members')}
      text={t('members_text')}
      aside={
        writes && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen('new')}
          >
            {t('add_member')}
          </Button>
        )
      }
    >
      {members.length === 0 && <Empty title={t('no_members')} />}
      <ol className={css.members}>
        {members.map((one, i) => (
          <li key={one.id} {...(writes && reorder.place(i))}>
            {writes ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('move_member', { name: one.name, place: formatNumber(i + 1) })}
                {...reorder.handle(i)}
              >
                <IconGripVertical size={15} aria-hidden />
              </ActionIcon>
            ) : (
              <span />
            )}
            <span className={css.place}>{formatNumber(one.position)}</span>
            <Member of={one} />
            <MemberMenu of={one} writes={writes} mine={mine} onEdit={() => setOpen(one)} />
          </li>
        ))}
      </ol>
      <span className="mantine-visually-hidden" aria-live="polite">
        {told}
      </span>
      {open && <MemberDialog publication={id} member={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function Member({ of }: { readonly of: MemberRow }) {
  const t = useT('publications')
  const say = useLabel()
  const role = MEMBER_ROLES.find((one) => one.value === of.role)
  return (
    <span className={css.name}>
      <bdi>{of.name}</bdi>
      {of.role !== 'author' && role && <small>{say(role.label)}</small>}
      {of.is_corresponding && <Status is="current" label={t('corresponding')} />}
      {of.user && (
        <Link to={to('/my_researches/publications/list/:id?', { id: of.user.id })}>
          <small>
            <Name row={of.user} />
            {of.department && <> · {nameOf(of.department)}</>}
          </small>
        </Link>
      )}
      {of.orcid && (
        <a href={`https://orcid.org/${of.orcid}`} target="_blank" rel="noreferrer">
          <small dir="ltr">{of.orcid}</small>
        </a>
      )}
      {of.affiliation && <small dir="auto">{of.affiliation}</small>}
    </span>
  )
}

function MemberMenu({
  of,
  writes,
  mine,
  onEdit,
}: {
  readonly of: MemberRow
  readonly writes: boolean
  readonly mine: number | null
  readonly onEdit: () => void
}) {
  const t = useT('publications')
  const { send } = useChange(...PATHS)
  const claim = (is: boolean) =>
    void act({
      go: () => send(calls.claim, { params: { id: of.id }, body: { mine: is } }),
      done: () => t(is ? 'claimed' : 'unclaimed'),
    })
  const items = [
    ...(writes ? [{ key: 'edit', label: t('edit_member'), go: onEdit }] : []),
    ...(mine === of.id ? [{ key: 'not_me', label: t('not_me'), go: () => claim(false) }] : []),
    ...(mine === null && of.user === null ? [{ key: 'me', label: t('this_is_me'), go: () => claim(true) }] : []),
    ...(writes
      ? [
          {
            key: 'remove',
            label: t('remove_member'),
            go: () =>
              void act({
                ask: {
                  title: t('remove_member_question', { name: of.name }),
                  action: t('remove_member'),
                  danger: true,
                },
                go: () => send(calls.removeMember, { params: { id: of.id } }),
                done: () => t('member_removed', { name: of.name }),
              }),
          },
        ]
      : []),
  ]
  if (items.length === 0) return <span />
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions_of', { name: of.name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ key, label, go }) => (
          <Menu.Item key={key} onClick={go}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function WorkFile({ id, of: { file, file_kept, writes } }: { readonly id: number; readonly of: PublicationParts }) {
  const t = useT('publications')
  const say = useLabel()
  const picker = useRef<HTMLInputElement>(null)
  const { busy, problem, go, send } = useChange(...PATHS)
  const [open, setOpen] = useState(false)
  const word = (list: readonly { value: string; label: readonly [string, string] }[], value: string) =>
    say(list.find((one) => one.value === value)?.label ?? ['', ''])
  const put = async (chosen: File) => {
    await go(() => send(calls.putFile, { params: { id }, body: {}, file: chosen }))
    setOpen(true)
  }
  return (
    <Card title={t('file')} text={t('file_text')}>
      {file && (
        <p className={css.line}>
          <a href={file.url} target="_blank" rel="noreferrer">
            <IconFile size={15} aria-hidden /> <bdi>{file.name}</bdi>
          </a>
          <small className={css.dim}>
            {formatBytes(file.size)} · {word(FILE_STAGES, file.stage)} · {word(LICENCES, file.licence)} ·{' '}
            {word(FILE_READERS, file.readers)}
          </small>
        </p>
      )}
      {!file && <p className={css.dim}>{t(file_kept ? 'file_kept' : 'no_file')}</p>}
      {writes && (
        <div className={css.line}>
          <input
            ref={picker}
            type="file"
            hidden
            accept=".pdf"
            aria-label={t('file')}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.files?.[0]
              currentTarget.value = ''
              if (chosen) void put(chosen)
            }}
          />
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            {t(file ? 'replace_file' : 'put_file')}
          </Button>
          {file && (
            <>
              <Button variant="subtle" onClick={() => setOpen(true)}>
                {t('file_rights')}
              </Button>
              <Button
                variant="subtle"
                color="red"
                onClick={() =>
                  void act({
                    ask: {
                      title: t('remove_file_question', { name: file.name }),
                      action: t('remove_file'),
                      danger: true,
                    },
                    go: () => send(calls.putFile, { params: { id }, body: { remove: 'true' } }),
                    done: () => t('file_removed'),
                  })
                }
              >
                {t('remove_file')}
              </Button>
            </>
          )}
        </div>
      )}
      {problem !== null && <Problems error={problem} />}
      {open && file && <FileDialog id={id} file={file} onClose={() => setOpen(false)} />}
    </Card>
  )
}
