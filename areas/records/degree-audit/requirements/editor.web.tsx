import { ActionIcon, Button, Menu, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { ApiError } from '#kit/web/api/error.ts'
import { may } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems, confirm } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { replacedRequirement } from './edit.rules.ts'
import { LiveState, LiveStudent, TouchedBy } from './live.web.tsx'
import { RequirementForm } from './requirement-form.web.tsx'
import css from './requirements.module.css'
import { Revisions } from './revisions.web.tsx'
import { storedCalls, type RequirementOwner, type StoredRequirements } from './stored.contract.ts'
import { RequirementTree } from './tree.web.tsx'
import { walk, type Requirement } from './tree.rules.ts'
import { isNamed } from './use-draft.web.ts'
import { useRequirementEditor, type RequirementEditor } from './use-editor.web.ts'

function Editor({ stored, onRevisions }: { stored: StoredRequirements; onRevisions: () => void }) {
  const t = useT('degree-audit')
  const editor = useRequirementEditor(stored)
  const { params, edits, draft, tree, changed, change, canUndo, canRedo, back, again, busy, said, edit } = editor
  const { add, begin } = editor
  return (
    <div className={css.bench} data-side={tree !== null || undefined}>
      <Stack>
        <Card
          title={t('requirements')}
          text={stored.of === 'program' ? t('of_program_text') : t('of_bylaw_text')}
          changed={changed}
          aside={
            edits && (
              <span className={css.tools}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('undo')} disabled={!canUndo} onClick={back}>
                  <IconArrowBackUp size={18} className="pointing" aria-hidden />
                </ActionIcon>
                <ActionIcon variant="subtle" color="gray" aria-label={t('redo')} disabled={!canRedo} onClick={again}>
                  <IconArrowForwardUp size={18} className="pointing" aria-hidden />
                </ActionIcon>
              </span>
            )
          }
        >
          {tree && (
            <div className={css.top}>
              <SegmentedControl
                aria-label={t('mode')}
                value={draft.mode}
                disabled={!edits}
                onChange={(mode) => change({ mode: mode })}
                data={[
                  { value: 'adds', label: t('mode_adds') },
                  { value: 'replaces', label: t('mode_replaces') },
                ]}
              />
            </div>
          )}
          {tree ? (
            <Tree editor={editor} tree={tree} />
          ) : (
            <Empty
              title={t('no_requirements')}
              text={stored.of === 'program' ? t('no_requirements_program') : t('no_requirements_bylaw')}
              action={
                edits && (
                  <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={begin}>
                    {t('begin')}
                  </Button>
                )
              }
            />
          )}
          {edits && tree && (
            <>
              <Button
                mt={8}
                variant="subtle"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => add(tree.key, 'parts' in tree ? tree.parts.length : 0)}
                disabled={!('parts' in tree)}
              >
                {t('add_requirement')}
              </Button>
              <p className={css.keys}>{t('keys')}</p>
            </>
          )}
          <output className={css.hidden} aria-live="polite">
            {said}
          </output>
        </Card>
        {changed && <TouchedBy params={params} edit={edit} />}
        {edits && (changed || busy) && <SaveBar editor={editor} onRevisions={onRevisions} />}
      </Stack>
      {tree && may('show_student_record') && (
        <aside className={css.side}>
          <LiveStudent params={params} onStudent={editor.setStudent} live={editor.live} />
        </aside>
      )}
    </div>
  )
}

/** The tree, with the form of the requirement that is open. */
function Tree({ editor, tree }: { editor: RequirementEditor; tree: Requirement }) {
  const t = useT('degree-audit')
  const { stored, edits, say, at, setAt, folded, fold, open, setOpen, problems, student, live } = editor
  const { setTree, names, note, act, can, drop, back, again } = editor
  const opened = open === null ? undefined : [...walk(tree)].find(([, one]) => one.key === open)?.[1]
  return (
    <RequirementTree
      tree={tree}
      label={t('requirements')}
      say={say}
      at={at}
      onAt={setAt}
      folded={folded}
      onFold={fold}
      open={open}
      problems={problems}
      aside={student === null ? undefined : (one) => <LiveState audit={live.byKey.get(one.key)} />}
      form={
        opened && (
          <RequirementForm
            key={opened.key}
            one={opened}
            root={opened === tree}
            onChange={(next, field) => setTree(replacedRequirement(tree, opened.key, next), `${opened.key} ${field}`)}
            onDone={() => {
              setOpen(null)
              requestAnimationFrame(() =>
                document.querySelector<HTMLElement>(`[data-key="${CSS.escape(opened.key)}"]`)?.focus(),
              )
            }}
            choices={{
              names,
              pools: stored.names.pools,
              requirements: [...walk(tree)].map(([, one]) => one),
              note,
            }}
          />
        )
      }
      {...(edits && {
        edit: {
          act,
          can,
          drop,
          undo: back,
          redo: again,
        },
      })}
    />
  )
}

/** While something is changed: why, and Save; or what became of it. */
function SaveBar({ editor, onRevisions }: { editor: RequirementEditor; onRevisions: () => void }) {
  const t = useT('degree-audit')
  const k = useT('kit-screens')
  const client = useQueryClient()
  const { tree, busy, problem, forget, reason, setReason, save, discard } = editor
  const overtaken = problem instanceof ApiError && problem.errors.some((one) => one.code === 'requirements_changed')
  return (
    <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved')}>
      {problem !== null && (
        <div className={css.wide}>
          <Problems error={problem} title={t('not_saved')} />
          {overtaken && (
            <Button
              variant="default"
              onClick={() => {
                forget()
                void refresh(client, '/requirement-trees')
                onRevisions()
              }}
            >
              {t('see_theirs')}
            </Button>
          )}
        </div>
      )}
      <TextInput
        className={css.barText}
        aria-label={t('reason')}
        placeholder={`${t('reason')} (${k('optional')})`}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Button variant="default" disabled={busy} onClick={discard}>
        {t('discard')}
      </Button>
      <Submit loading={busy} missing={[!isNamed(tree) && t('name_needed')]} onClick={() => void save()}>
        {t('save')}
      </Submit>
    </section>
  )
}

/** The screen of a program or a bylaw. */
export function RequirementsOf({ of }: { of: RequirementOwner }) {
  const id = Number(useParams().id)
  const t = useT('degree-audit')
  const lang = useLanguage()
  const params = { of, id }
  const { data, error, refetch } = useCall(storedCalls.requirementTree, { params })
  const [revisions, setRevisions] = useState(false)
  const { send } = useChange('/requirement-trees')
  const [drawn, setDrawn] = useState(0)
  const stored = data?.data
  if (error && !stored) {
    return (
      <Page title={t('requirements')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  const clear = () =>
    void confirm({
      title: t('clear_title'),
      consequence: t('clear_text'),
      action: t('clear'),
      danger: true,
      go: () =>
        send(storedCalls.saveRequirementTree, { params, body: { revision: stored!.last, mode: 'adds', tree: null } }),
    }).then((done) => done && setDrawn((n) => n + 1))
  return (
    <Page
      title={stored?.owner ?? null}
      subtitle={
        stored ? (
          <Dotted>
            <span>{t('requirements')}</span>
            {stored.revision > 0 && <span>{t('revision_number', { revision: stored.revision })}</span>}
            {stored.by && <bdi>{nameOf(stored.by, lang)}</bdi>}
            {stored.at && <span>{formatInstant(stored.at, lang)}</span>}
            {stored.bylaw && (
              <span>
                {t('bylaw_too', { name: nameOf(stored.bylaw.owner, lang), count: stored.bylaw.requirements })}
              </span>
            )}
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
      menu={
        stored && (
          <>
            <Menu.Item leftSection={<IconHistory size={15} aria-hidden />} onClick={() => setRevisions(true)}>
              {t('revisions')}
            </Menu.Item>
            {stored.abilities.includes('edit') && stored.tree && (
              <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={clear}>
                {t('clear')}
              </Menu.Item>
            )}
          </>
        )
      }
    >
      {stored ? (
        <Editor key={`${stored.of} ${id} ${drawn}`} stored={stored} onRevisions={() => setRevisions(true)} />
      ) : (
        <Bone height={360} />
      )}
      {stored && (
        <Modal opened={revisions} onClose={() => setRevisions(false)} title={t('revisions')} size="lg">
          {revisions && (
            <Revisions
              stored={stored}
              onRestored={() => {
                setRevisions(false)
                setDrawn((n) => n + 1)
              }}
            />
          )}
        </Modal>
      )}
    </Page>
  )
}
