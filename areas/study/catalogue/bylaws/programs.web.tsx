import { ActionIcon, Anchor, Button, Select } from '@mantine/core'
import { IconArrowDownRight, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange, useSend } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Problems, Status, act, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, addressOfRecord, useUnsaved } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { requirementsOfBylaw } from '../outlets.contract.ts'
import { REQUIREMENT_TYPES, type RequirementType } from '../words.contract.ts'
import { bylawCalls, type TreeNode } from './settings.contract.ts'
import { SettingsOf } from './section.web.tsx'

const NAMES = {
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty: ['Faculty requirements', 'متطلبات الكلية'],
} as const

function RequirementList({
  id,
  type,
  courses,
  programs,
  editable,
}: {
  id: number
  type: RequirementType
  /** Those that take the list over, with their students. */
  programs: readonly { students: number }[]
  courses: readonly { id: number; name: string; name_local?: string | null; code?: string | null }[]
  editable: boolean
}) {
  const t = useT('catalogue')
  const say = useLabel()
  const [added, setAdded] = useState(0)
  const { send } = useChange('/bylaws', '/programs')
  const [busy, setBusy] = useState(false)
  /** What was done last, to be taken back as long as the page is open. */
  const [last, setLast] = useState<{ text: string; operation: number } | null>(null)
  const students = programs.reduce((sum, one) => sum + one.students, 0)
  /** Every program of the bylaw takes it over: what is struck from all of them is asked about. */
  const change = async (course_id: number, required: boolean, done: string, name?: string) => {
    setBusy(true)
    const answer = await act({
      ...(name !== undefined && {
        ask: {
          title: t('requirement_strike', { name }),
          consequence: t('requirement_strike_text', {
            programs: t('requirement_programs', { count: programs.length }),
            count: students,
          }),
          action: t('take_off', { name }),
          danger: true,
        },
      }),
      go: () => send(bylawCalls.requireCourse, { params: { id }, body: { type, course_id, required } }),
      done: ({ data: { programs } }) => {
        if (programs === null) notify.info(t('requirement_so_already'))
        return null
      },
    })
    const told = answer?.data
    if (told && told.programs !== null && told.operation_id !== null)
      setLast({
        text: `${done} · ${t('requirement_programs', { count: told.programs })}`,
        operation: told.operation_id,
      })
    setBusy(false)
  }
  return (
    <Card title={say(NAMES[type])} text={t('requirements_text')}>
      {courses.length ? (
        <ul className={css.lines}>
          {courses.map((c) => (
            <li key={c.id}>
              <span>
                <Code>{c.code}</Code> <Name row={c} />
              </span>
              {editable && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('take_off', { name: nameOf(c) })}
                  disabled={busy}
                  onClick={() => void change(c.id, false, t('requirement_off', { name: nameOf(c) }), nameOf(c))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <span className={css.faint}>{t('none')}</span>
      )}
      {last && (
        <UndoNotice key={last.operation} text={last.text} operation={last.operation} onUndone={() => setLast(null)} />
      )}
      {editable && (
        <LookupInput
          key={added}
          resource="course"
          aria-label={t('add_course')}
          placeholder={t('add_course')}
          defaultValue={null}
          onChange={(course) => {
            if (course === null) return
            setAdded((n) => n + 1)
            void change(course, true, t('requirement_on'))
          }}
        />
      )}
    </Card>
  )
}

/** Every program of a tree with its parent. */
const flat = (tree: readonly TreeNode[], parent: number | null = null): Map<number, number | null> =>
  new Map(tree.flatMap((node) => [[node.program_id, parent] as const, ...flat(node.children, node.program_id)]))
const build = (parents: ReadonlyMap<number, number | null>, parent: number | null = null): TreeNode[] =>
  [...parents]
    .filter(([, p]) => p === parent)
    .map(([program_id]) => ({ program_id, children: build(parents, program_id) }))

function ProgramsTree({ id, editable }: { id: number; editable: boolean }) {
  const t = useT('catalogue')
  const { data, error, refetch } = useCall(bylawCalls.programsTree, { params: { id } })
  const [draft, setDraft] = useState<ReadonlyMap<number, number | null> | null>(null)
  const save = useSend(bylawCalls.saveProgramsTree, {
    onDone: () => {
      setDraft(null)
      notify.done(t('saved'))
    },
  })
  useUnsaved(draft !== null && !save.isPending)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={120} />
  const { programs, tree, version } = data.data
  const stored = flat(tree)
  // Programs that stand nowhere in the tree are taken in directly.
  const parents = new Map(programs.map((p) => [p.id as number, (draft ?? stored).get(p.id as number) ?? null]))
  const byId = new Map(programs.map((p) => [p.id as number, p]))
  const below = (child: number, parent: number): boolean => {
    const above = parents.get(child)
    return above === parent || (above != null && below(above, parent))
  }
  const lines = (nodes: readonly TreeNode[], depth: number): React.ReactNode =>
    nodes.map((node) => {
      const p = byId.get(node.program_id)!
      return (
        <div key={node.program_id}>
          <div className={css.head} style={{ paddingInlineStart: depth * 22, alignItems: 'center', minBlockSize: 40 }}>
            <span>
              {depth > 0 && <IconArrowDownRight size={13} className={`pointing ${css.faint}`} aria-hidden />}{' '}
              <Code>{p.code}</Code> <Name row={p} /> {p.is_general && <Status is="general" label={t('general')} />}
            </span>
            {editable && (
              <Select
                size="xs"
                aria-label={t('specialises_from', { code: p.code })}
                value={String(parents.get(node.program_id) ?? '')}
                allowDeselect={false}
                data={[
                  { value: '', label: t('entered_directly') },
                  ...programs
                    .filter(
                      (program) =>
                        program.is_general &&
                        program.id !== node.program_id &&
                        !below(program.id as number, node.program_id),
                    )
                    .map((program) => ({
                      value: String(program.id),
                      label: t('from_program', { name: nameOf(program as never) }),
                    })),
                ]}
                onChange={(value) => setDraft(new Map([...parents, [node.program_id, value ? Number(value) : null]]))}
              />
            )}
          </div>
          {lines(node.children, depth + 1)}
        </div>
      )
    })
  return (
    <Card changed={draft !== null} title={t('tree')} text={t('tree_text')}>
      {programs.length ? lines(build(parents), 0) : <Empty title={t('no_programs')} />}
      {save.error && <Problems error={save.error} title={t('not_saved')} />}
      {draft && (
        <div className={css.bar}>
          <Button
            size="sm"
            loading={save.isPending}
            onClick={() => save.mutate({ params: { id }, body: { tree: build(parents), version } })}
          >
            {t('save')}
          </Button>
          <Button size="sm" variant="default" onClick={() => setDraft(null)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Programs under a bylaw, and how students specialise. */
export function BylawPrograms({ row }: { row: { id: number } }) {
  const t = useT('catalogue')
  return (
    <SettingsOf id={row.id}>
      {({ programs, abilities }) => {
        const editable = abilities.includes('edit_settings')
        return (
          <>
            <Card title={t('programs')}>
              {programs.length ? (
                <ul className={css.lines}>
                  {programs.map((p) => {
                    const address = addressOfRecord('program', 'show', p.id)
                    return (
                      <li key={p.id}>
                        <span>
                          <Code>{p.code}</Code>{' '}
                          {address ? (
                            <Anchor component={Link} to={address}>
                              <Name row={p} />
                            </Anchor>
                          ) : (
                            <Name row={p} />
                          )}
                        </span>
                        <span className={css.faint}>{t('students_count', { count: p.students })}</span>
                      </li>
                    )
                  })}
                </ul>
              ) : (
                <Empty title={t('no_programs')} />
              )}
            </Card>
            <ProgramsTree id={row.id} editable={editable} />
          </>
        )
      }}
    </SettingsOf>
  )
}

// Shown where the area of degree audits is there.
const Stored = filled(requirementsOfBylaw)

/** What is required of all programs under a bylaw: lists of courses, and the requirements by which degrees are audited. */
export function BylawRequirements({ row }: { row: { id: number } }) {
  const { may } = useMe()
  return (
    <SettingsOf id={row.id}>
      {({ requirements, programs, abilities }) => (
        <>
          <Cards even>
            {REQUIREMENT_TYPES.map((type) => (
              <RequirementList
                key={type}
                id={row.id}
                type={type}
                courses={requirements[type]}
                programs={programs}
                editable={abilities.includes('edit_settings')}
              />
            ))}
          </Cards>
          {may('show_requirements') && <Stored row={row} />}
        </>
      )}
    </SettingsOf>
  )
}
