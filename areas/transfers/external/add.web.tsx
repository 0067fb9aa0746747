import { ActionIcon, Button, NumberInput, Select, TextInput } from '@mantine/core'
import { IconPaperclip, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { fileCalls } from '#kit/contract/kit.area.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../transfers.module.css'
import { EXTERNAL_KINDS, externalCalls, externalFields } from './external.contract.ts'

interface Typed {
  readonly key: number
  readonly code: string
  readonly name: string
  readonly credit_hours: number | string
  readonly grade: string
  readonly percent: string
}
const EMPTY: Omit<Typed, 'key'> = { code: '', name: '', credit_hours: 3, grade: '', percent: '' }

/** Enters what a student passed elsewhere, with the papers that show it. */
export default function AddExternal() {
  const t = useT('transfers')
  const say = useLabel()
  const navigate = useNavigate()
  const picker = useRef<HTMLInputElement>(null)
  const [student, setStudent] = useState<number | null>(null)
  const [kind, setKind] = useState<'external' | 'study_abroad'>('external')
  const [institution, setInstitution] = useState('')
  const [country, setCountry] = useState<number | null>(null)
  const [lines, setLines] = useState<readonly Typed[]>([{ key: 0, ...EMPTY }])
  const [files, setFiles] = useState<readonly { id: number; name: string }[]>([])
  const { busy, problem, go, send } = useChange('/transfer')
  const change = (key: number, part: Partial<Typed>) =>
    setLines((kept) => kept.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const ready =
    student !== null && institution.trim().length >= 2 && lines.every((one) => one.code.trim() && one.name.trim())
  const attach = async (chosen: Iterable<File>) => {
    for (const file of chosen) {
      const done = await go(() => send(fileCalls.uploadFile, { file }))
      if (!done) return
      const { id, name } = done.answer.data
      setFiles((kept) => [...kept, { id, name }])
    }
  }
  const save = async () => {
    const done = await go(() =>
      send(externalCalls.addExternal, {
        params: { id: student! },
        body: {
          kind,
          institution: institution.trim(),
          country_id: country,
          courses: lines.map((one) => ({
            code: one.code.trim(),
            name: one.name.trim(),
            credit_hours: Number(one.credit_hours) || 0,
            grade: one.grade.trim() || null,
            percent: one.percent.trim() || null,
          })),
          file_ids: files.map((one) => one.id),
        },
      }),
    )
    if (!done) return
    notify.done(t('entered'))
    void navigate(
      to('/students/:student_id/external_transfer/:transfer_id', {
        student_id: student!,
        transfer_id: done.answer.data.id,
      }),
    )
  }
  return (
    <Page
      title={t('enter_courses')}
      action={
        <Button loading={busy} disabled={!ready} onClick={() => void save()}>
          {t('save')}
        </Button>
      }
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        <Card>
          <div className={css.form}>
            <LookupInput resource="student" label={t('student')} defaultValue={null} onChange={setStudent} />
            <Select
              label={say(externalFields.kind.label)}
              data={EXTERNAL_KINDS.map((one) => ({ value: one.value, label: say(one.label) }))}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind(value ?? 'external')}
            />
            <TextInput
              label={say(externalFields.institution.label)}
              required
              dir="auto"
              maxLength={200}
              value={institution}
              onChange={(event) => setInstitution(event.currentTarget.value)}
            />
            <LookupInput resource="country" label={t('country')} defaultValue={null} onChange={setCountry} />
          </div>
        </Card>
        <Card title={t('theirs')}>
          <ul className={css.lines}>
            {lines.map((one, i) => (
              <li key={one.key} className={css.inputs}>
                <TextInput
                  size="xs"
                  className={css.code}
                  aria-label={t('line_code', { n: i + 1 })}
                  placeholder={t('code')}
                  maxLength={40}
                  value={one.code}
                  onChange={(event) => change(one.key, { code: event.currentTarget.value })}
                />
                <TextInput
                  size="xs"
                  className={css.course}
                  dir="auto"
                  aria-label={t('line_name', { n: i + 1 })}
                  placeholder={t('course_name')}
                  maxLength={200}
                  value={one.name}
                  onChange={(event) => change(one.key, { name: event.currentTarget.value })}
                />
                <NumberInput
                  size="xs"
                  className={css.small}
                  aria-label={t('line_hours', { n: i + 1 })}
                  min={0}
                  max={60}
                  step={0.5}
                  decimalScale={2}
                  value={one.credit_hours}
                  onChange={(value) => change(one.key, { credit_hours: value })}
                />
                <TextInput
                  size="xs"
                  className={css.small}
                  aria-label={t('line_grade', { n: i + 1 })}
                  placeholder={t('grade')}
                  maxLength={20}
                  value={one.grade}
                  onChange={(event) => change(one.key, { grade: event.currentTarget.value })}
                />
                <TextInput
                  size="xs"
                  className={css.small}
                  inputMode="decimal"
                  aria-label={t('line_percent', { n: i + 1 })}
                  placeholder="%"
                  maxLength={6}
                  value={one.percent}
                  onChange={(event) => change(one.key, { percent: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  aria-label={t('line_remove', { n: i + 1 })}
                  disabled={lines.length === 1}
                  onClick={() => setLines((kept) => kept.filter((other) => other.key !== one.key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
          <div className={css.bar}>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() =>
                setLines((kept) => [...kept, { key: Math.max(...kept.map((one) => one.key)) + 1, ...EMPTY }])
              }
            >
              {t('line_add')}
            </Button>
          </div>
        </Card>
        <Card title={t('papers')} text={t('papers_text')}>
          <ul className={css.groups}>
            {files.map((one) => (
              <li key={one.id}>
                <bdi>{one.name}</bdi>
              </li>
            ))}
          </ul>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPaperclip size={14} aria-hidden />}
            disabled={files.length >= 12}
            onClick={() => picker.current?.click()}
          >
            {t('attach')}
          </Button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            aria-label={t('attach')}
            onChange={(event) => {
              const chosen = [...(event.currentTarget.files ?? [])]
              event.currentTarget.value = ''
              void attach(chosen)
            }}
          />
        </Card>
      </Stack>
    </Page>
  )
}
