// The page that browses the description of the API. Served as it is: no build step.

/** An element with its attributes and children; text never becomes markup. */
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children)
  return element
}
const json = (value) => JSON.stringify(value, null, 2)

const description = await (await fetch('/api/openapi.json')).json()
const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const permission = [operation['x-permission']].flat().join(' | ')
    const words = [method, path, permission, operation.summary, operation.description, ...operation.tags]
      .join(' ')
      .toLowerCase()
    return { path, method: method.toUpperCase(), operation, permission, words }
  }),
)
const state = { tag: null, search: '' }

function schemaView(title, schema) {
  return schema ? [make('h3', {}, title), make('pre', { tabindex: 0 }, json(schema))] : []
}

function tryView({ path, method, operation }) {
  const inputs = new Map()
  const fields = operation.parameters.map((parameter) => {
    const input = make('input', { value: parameter.in === 'path' ? (parameter.example ?? '') : '', size: 12 })
    inputs.set(parameter, input)
    return make('label', {}, `${parameter.name} (${parameter.in})`, input)
  })
  const content = operation.requestBody?.content ?? {}
  const body = content['application/json']
  const text = body && make('textarea', { 'aria-label': 'Body', spellcheck: 'false' })
  if (text) text.value = json(body.example ?? {})
  const form = content['multipart/form-data']
  const file = form && make('input', { type: 'file', 'aria-label': 'File' })
  const answer = make('pre', { tabindex: 0, hidden: true, 'aria-live': 'polite' })

  const send = async () => {
    answer.hidden = false
    answer.textContent = '…'
    let address = path
    const query = new URLSearchParams()
    for (const [parameter, input] of inputs) {
      if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value))
      else if (input.value) query.set(parameter.name, input.value)
    }
    const headers = {}
    const token = document.querySelector('#token').value
    if (token) headers.authorization = `Bearer ${token}`
    let payload
    if (text) {
      headers['content-type'] = 'application/json'
      payload = text.value
    } else if (file?.files.length) {
      payload = new FormData()
      const properties = form.schema.properties
      const name = Object.keys(properties).find((key) => properties[key].format === 'binary')
      payload.append(name, file.files[0])
    }
    try {
      const started = performance.now()
      const response = await fetch(`/api${address}${query.size ? `?${query}` : ''}`, { method, headers, body: payload })
      const took = `${response.status} ${response.statusText} · ${Math.round(performance.now() - started)} ms`
      const type = response.headers.get('content-type') ?? ''
      if (type.includes('json')) answer.textContent = `${took}\n\n${json(await response.json())}`
      else {
        const blob = await response.blob()
        const link = make(
          'a',
          { href: URL.createObjectURL(blob), download: operation.operationId },
          `Save the file (${blob.size} bytes)`,
        )
        answer.replaceChildren(`${took}\n\n`, link)
      }
    } catch (error) {
      answer.textContent = String(error)
    }
  }
  const warning = method === 'GET' || operation['x-permission'] === 'public' ? 'Send' : `Send ${method}`
  return [
    make('h3', {}, 'Try it'),
    make(
      'div',
      { class: 'row' },
      ...fields,
      ...(file ? [file] : []),
      make('button', { type: 'button', onclick: send }, warning),
    ),
    ...(text ? [text] : []),
    answer,
  ]
}

function callView(call) {
  const { path, method, operation, permission } = call
  const details = make(
    'details',
    {},
    make(
      'summary',
      {},
      make('span', { class: `method ${method}` }, method),
      make('code', {}, path),
      make('span', {}, operation.summary),
      make('span', { class: 'key' }, permission),
    ),
  )
  // What is not opened is not built: there are hundreds.
  details.addEventListener(
    'toggle',
    () => {
      const content = operation.requestBody?.content ?? {}
      const [kind] = Object.keys(content)
      const [, done] = Object.entries(operation.responses).find(([status]) => status === '200') ?? []
      const [answerKind] = Object.keys(done?.content ?? {})
      details.append(
        make(
          'div',
          { class: 'body' },
          make('div', { dir: 'auto' }, operation.description.split('\n')[0]),
          ...tryView(call),
          ...schemaView(`Sent (${kind})`, content[kind]?.schema),
          ...schemaView(`Answered (${answerKind})`, done?.content?.[answerKind]?.schema),
          make('h3', {}, 'Refusals'),
          make(
            'div',
            {},
            Object.entries(operation.responses)
              .filter(([s]) => s !== '200')
              .map(([s, r]) => `${s} ${r.description}`)
              .join(' · '),
          ),
        ),
      )
    },
    { once: true },
  )
  return details
}

function show() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = calls.filter(
    (c) => (!state.tag || c.operation.tags.includes(state.tag)) && words.every((w) => c.words.includes(w)),
  )
  document.querySelector('#calls').replaceChildren(make('p', {}, `${found.length} calls`), ...found.map(callView))
  document.querySelector('#tags').replaceChildren(
    ...[{ name: null, description: 'All' }, ...description.tags].map((tag) =>
      make(
        'button',
        {
          type: 'button',
          'aria-pressed': String(state.tag === tag.name),
          onclick: () => {
            state.tag = tag.name
            show()
          },
        },
        tag.description,
      ),
    ),
  )
}
document.querySelector('#search').addEventListener('input', (event) => {
  state.search = event.target.value
  show()
})
show()
