import fc from "fast-check";

/** Every run of the tests draws the same examples, so that red means changed. FC_SEED draws others. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_115) });
