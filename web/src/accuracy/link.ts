import type { Request } from 'ridgepoint';
import { calculatorPage } from '../assets';
import { placeToHash } from '../hash';
import { withRequest } from '../request';
import { example, type Inputs } from '../state';
import { cardsOf } from './rows';

// A start as a setup of the calculator.

const nothingAsked = { context: '', prompt: '', output: '', concurrency: '' };

export function inputsOf(request: Request): Inputs {
  const { config } = request.model;
  const blank: Inputs = { ...example, ...nothingAsked, args: {} };
  const gpu = { ...request.gpu, count: cardsOf(request) };
  const inputs = withRequest(blank, { ...request, gpu }, false);
  if (!config) return inputs;
  return {
    ...inputs,
    use: 'config',
    config: JSON.stringify(config),
    configName: request.model.id ?? '',
  };
}

export const linkOf = async (request: Request): Promise<string> =>
  `${calculatorPage}${await placeToHash({ sides: [inputsOf(request), null], active: 0, room: 'answer' })}`;
