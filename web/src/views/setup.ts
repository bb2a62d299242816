import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Option } from '../combobox';
import { size, whole } from '../format';
import { count } from '../numbers';
import { CUSTOM_GPU } from '../state';
import type { Catalogue } from '../types';
import type { View } from './context';
import { errorLine, fieldRow, problemAt, textField } from './field';
import { flagSection } from './flags';

// Card, engine and workload.

const vendors: Record<string, string> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  intel: 'Intel',
  apple: 'Apple',
  google: 'Google',
  aws: 'AWS',
};
const engines: Record<string, string> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'tensorrt-llm': 'TensorRT-LLM',
  trtllm: 'TensorRT-LLM',
  'llama.cpp': 'llama.cpp',
  llamacpp: 'llama.cpp',
};
export const engineName = (name: string) => engines[name] ?? name;

const custom: Option = {
  value: CUSTOM_GPU,
  label: 'Custom card',
  hint: 'memory, bandwidth and compute by hand',
  group: 'Other',
  search: 'own other',
};

function cardOptions(catalogue: Catalogue): Option[] {
  const options = catalogue.gpus.map((gpu) => ({
    value: gpu.id,
    label: gpu.name,
    hint: size(gpu.total_bytes),
    group: vendors[gpu.vendor.toLowerCase()] ?? gpu.vendor,
    search: `${gpu.vendor} ${gpu.aliases.join(' ')}`,
  }));
  const order = [...new Set(options.map(({ group }) => group))];
  options.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  return [...options, custom];
}

/** What a length was read as, where that is not what was typed: "32K" is 32,768. */
function readAs(text: string) {
  const value = count(text);
  return typeof value === 'number' && /[kKmM]\s*$/.test(text)
    ? `= ${whole(value)} tokens`
    : undefined;
}

export function cardSection(view: View) {
  const problem = problemAt(view, 'gpu');
  return html`<fieldset>
    <legend>Card</legend>
    <div class="row wide-narrow">
      <div class="field">
        <label for="gpu">Card</label>
        ${view.cards.view({
          id: 'gpu',
          label: 'Cards',
          options: cardOptions(view.catalogue),
          value: view.inputs.gpu,
          invalid: problem !== null,
          describedBy: problem ? 'gpu-error' : '',
          choose: (gpu) => view.actions.set({ gpu }),
        })}
      </div>
      ${textField(view, {
        field: 'count',
        label: 'Count',
        suggestions: ['1', '2', '4', '8', '16'],
        bare: true,
      })}
    </div>
    ${errorLine('gpu', problem)} ${errorLine('count', problemAt(view, 'count'))}
    ${
      view.inputs.gpu === CUSTOM_GPU
        ? fieldRow(view, 'thirds', [
            { field: 'gpuTotal', label: 'Memory', unit: 'GiB' },
            { field: 'gpuBandwidth', label: 'Bandwidth', unit: 'GB/s' },
            { field: 'gpuFlops', label: 'Compute', unit: 'TFLOP/s' },
          ])
        : nothing
    }
    ${textField(view, {
      field: 'free',
      label: 'Free memory per card',
      unit: 'GiB',
      placeholder: 'nearly all',
    })}
  </fieldset>`;
}

export function engineSection(view: View) {
  const { inputs, catalogue, actions } = view;
  const versions = catalogue.engines.find(({ name }) => name === inputs.engine)?.versions ?? [];
  const problem = problemAt(view, 'engine');
  const choices = catalogue.engines.map(({ name }) => name);
  // A link may name an engine this build does not have; it stays chosen, and the core says so.
  if (!choices.includes(inputs.engine)) choices.push(inputs.engine);
  return html`<fieldset>
    <legend>Engine</legend>
    <div class="row halves">
      <div class="field">
        <label for="engine">Engine</label>
        <select
          id="engine"
          aria-invalid=${problem ? 'true' : nothing}
          aria-describedby=${problem ? 'engine-error' : nothing}
          .value=${live(inputs.engine)}
          @change=${(event: Event) =>
            actions.set({ engine: (event.target as HTMLSelectElement).value, version: '' })}
        >
          ${choices.map(
            (name) => html`<option value=${name} ?selected=${name === inputs.engine}>
              ${engineName(name)}
            </option>`,
          )}
        </select>
      </div>
      ${textField(view, {
        field: 'version',
        label: 'Version',
        placeholder: 'newest covered',
        suggestions: versions,
        words: true,
        bare: true,
      })}
    </div>
    ${errorLine('engine', problem)} ${errorLine('version', problemAt(view, 'version'))}
    ${flagSection(view)}
  </fieldset>`;
}

export function workloadSection(view: View) {
  const { inputs } = view;
  const read = readAs(inputs.context);
  return html`<fieldset>
    <legend>Requests</legend>
    ${fieldRow(view, 'halves', [
      {
        field: 'context',
        label: 'Context',
        unit: 'tokens',
        placeholder: 'engine’s own',
        suggestions: ['2048', '4096', '8192', '16384', '32768', '65536', '131072'],
        ...(read ? { hint: read } : {}),
      },
      { field: 'concurrency', label: 'At once', unit: 'requests', placeholder: '1' },
    ])}
    ${fieldRow(view, 'halves', [
      { field: 'prompt', label: 'Prompt', unit: 'tokens' },
      { field: 'output', label: 'Output', unit: 'tokens' },
    ])}
  </fieldset>`;
}
