import { Anchor, Checkbox, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFolder } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatBytes, formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { ROOT } from '#areas/office/archive/entry.contract.ts'
import { treeCalls } from '#areas/office/archive/tree/tree.contract.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { courseFileCalls, type CheckedPart } from './course-file.contract.ts'
import css from '../course-files.module.css'

/** Entries that are shown: more are found by more letters, or in a folder further down. */
const SHOWN = 50
type Listed = ResponseOf<typeof treeCalls.listArchive>

/** Takes a file of the archive into a part, as it is there now: found by folders, or by its name. */
export function FromArchive({ id, part, onClose }: { id: number; part: CheckedPart; onClose: () => void }) {
  const t = useT('course-files')
  const { busy, problem, go, send } = useChange('/courseFile')
  const [chosen, setChosen] = useState<number | null>(null)
  const [hidden, setHidden] = useState(false)
  const take = async () => {
    if (chosen === null) return
    const done = await go(() =>
      send(courseFileCalls.takeFromArchive, {
        params: { id },
        body: { part_id: part.id, entry_id: chosen, names_hidden: hidden },
      }),
    )
    if (!done) return
    notify.done(t('handed_in'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('from_archive')}>
      <div className={css.say}>
        <p className={css.text}>{t('from_archive_text')}</p>
        <Browse chosen={chosen} onChoose={setChosen} />
        {part.names_hidden && (
          <Checkbox
            label={t('names_sure')}
            checked={hidden}
            onChange={({ currentTarget }) => setHidden(currentTarget.checked)}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <Submit
          missing={[chosen === null && t('archive_file'), part.names_hidden && !hidden && t('names_sure')]}
          loading={busy}
          onCancel={onClose}
          onClick={() => void take()}
        >
          {t('from_archive')}
        </Submit>
      </div>
    </Modal>
  )
}

/** One folder of the archive, or what a word finds beneath it. */
function Browse({ chosen, onChoose }: { chosen: number | null; onChoose: (entry: number | null) => void }) {
  const t = useT('course-files')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const [folder, setFolder] = useState<number>(ROOT)
  const searches = search.length > 1
  const { data, error, refetch } = useCall(
    treeCalls.listArchive,
    { body: { parent_id: folder, perPage: SHOWN, ...(searches && { search, kind: 'file' as const }) } },
    { placeholderData: keepPreviousData },
  )
  const open = (entry: number) => {
    setFolder(entry)
    setTyped('')
    onChoose(null)
  }
  // Pages of the archive are no files.
  const rows = data?.data.filter(({ kind }) => kind !== 'page') ?? []
  return (
    <>
      <TextInput
        data-autofocus
        label={t('archive_search')}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Bone height={200} />}
      {data && <Path of={data} onOpen={open} />}
      {data && rows.length === 0 && <Empty title={t(searches ? 'no_file' : 'folder_empty')} />}
      {data && rows.length > 0 && (
        <fieldset className={css.choices}>
          <legend>{t('archive_file')}</legend>
          {rows.map((one) =>
            one.kind === 'folder' ? (
              <Anchor component="button" type="button" key={one.id} className={css.folder} onClick={() => open(one.id)}>
                <IconFolder size={16} aria-hidden /> <bdi>{nameOf(one)}</bdi>
              </Anchor>
            ) : (
              <label key={one.id}>
                <input type="radio" name="entry" checked={chosen === one.id} onChange={() => onChoose(one.id)} />
                <bdi>{one.name}</bdi>
                <small>
                  {one.size !== null && `${formatBytes(one.size)} · `}
                  {formatInstant(one.updated_at)}
                </small>
              </label>
            ),
          )}
          <OnlyFirst rows={data.data.length} most={SHOWN} />
        </fieldset>
      )}
    </>
  )
}

/** Where one is: the folders around, each leads back there. */
function Path({ of, onOpen }: { of: Listed; onOpen: (entry: number) => void }) {
  const t = useT('course-files')
  const around = of.path.filter(({ id }) => id !== of.folder.id && id !== ROOT)
  return (
    <nav className={css.path} aria-label={t('archive_path')}>
      {of.folder.id === ROOT ? (
        <span>{t('archive')}</span>
      ) : (
        <Anchor component="button" type="button" onClick={() => onOpen(ROOT)}>
          {t('archive')}
        </Anchor>
      )}
      {around.map((one) => (
        <Anchor component="button" type="button" key={one.id} onClick={() => onOpen(one.id)}>
          <bdi>{nameOf(one)}</bdi>
        </Anchor>
      ))}
      {of.folder.id !== ROOT && (
        <span aria-current="page">
          <bdi>{nameOf(of.folder)}</bdi>
        </span>
      )}
    </nav>
  )
}
