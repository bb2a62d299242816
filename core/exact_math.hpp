#pragma once

namespace ridgepoint {

// Functions that the C libraries of two builds may round differently, made of additions,
// multiplications and divisions alone, so that every build gives the same bits. Relative error
// below 1e-14 over the ranges named.

/// e^x. Below -700 it is 0, above 700 it is e^700; NaN gives NaN.
double exact_exp(double x);

/// The natural logarithm of a finite x > 0; of anything else a number far below every other (-750).
double exact_log(double x);

/// x^y of x >= 0; 0 to any power above 0 is 0.
double exact_pow(double x, double y);

}  // namespace ridgepoint
