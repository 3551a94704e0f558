import { programFor } from '../../webpack.config.js';

/** A program for an executable, chosen by `--config-name`: one file in CommonJS, the only form that Node 24 runs from inside. */
export default ['helper', 'relay'].map((part) => {
  const { output: _output, experiments: _experiments, ...bundle } = programFor(part, `firstscreen-${part}`, 'main.ts');
  return bundle;
});
